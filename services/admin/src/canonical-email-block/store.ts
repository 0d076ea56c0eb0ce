/** Stores blocked e-mail addresses as hashes of their canonical form. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface CanonicalEmailBlockRow {
  id: string
  canonical_email_hash: string
  /** A suspended account with this e-mail address; null for a block that staff created without an account. */
  account_id: string | null
  created_at: Date
}

const columns = sql`id, canonical_email_hash, account_id, created_at`

export const everyCanonicalEmailBlock = (db: Reader): Promise<CanonicalEmailBlockRow[]> =>
  db.rows(sql`select ${columns} from canonical_email_blocks order by id`)

/** Canonical e-mail blocks in the order of their hashes; only hashes greater than `after`. */
export const canonicalEmailBlocksAfter = (
  db: Reader,
  after: string,
  limit: number,
): Promise<CanonicalEmailBlockRow[]> =>
  db.rows(sql`select ${columns} from canonical_email_blocks where canonical_email_hash > ${after}
    order by canonical_email_hash limit ${limit}`)

/** One page of canonical e-mail blocks, newest first. */
export const canonicalEmailBlockPage = async (db: Reader, page: Cursor): Promise<CanonicalEmailBlockRow[]> =>
  newestFirst(
    await db.rows<CanonicalEmailBlockRow>(
      sql`select ${columns} from canonical_email_blocks where true ${keyset(sql`id`, page)}`,
    ),
    page,
  )

export const canonicalEmailBlockById = (db: Reader, id: string): Promise<CanonicalEmailBlockRow | null> =>
  db.row(sql`select ${columns} from canonical_email_blocks where id = ${id}`)

/** The canonical e-mail block with this id, locked until the transaction ends. */
export const lockCanonicalEmailBlock = (tx: Tx, id: string): Promise<CanonicalEmailBlockRow | null> =>
  tx.row(sql`select ${columns} from canonical_email_blocks where id = ${id} for update`)

/**
 * Deletes a block by decision of staff. Returns the deleted row; null if `row` is null. The account is cleared first,
 * so that the trigger of migration 0180 does not keep the block for another suspended account.
 */
const deleteBlock = async (tx: Tx, row: CanonicalEmailBlockRow | null): Promise<CanonicalEmailBlockRow | null> => {
  if (row === null) return null
  await tx.run(sql`update canonical_email_blocks set account_id = null where id = ${row.id}`)
  await tx.run(sql`delete from canonical_email_blocks where id = ${row.id}`)
  return row
}

/** Deletes a block. Returns the deleted row; null if no block has this id. */
export const deleteCanonicalEmailBlockById = async (tx: Tx, id: string): Promise<CanonicalEmailBlockRow | null> =>
  deleteBlock(tx, await lockCanonicalEmailBlock(tx, id))

/** Stores a block of an e-mail address. Returns false if the address is blocked already. */
export const insertCanonicalEmailBlock = async (tx: Tx, row: CanonicalEmailBlockRow): Promise<boolean> =>
  (await tx.run(sql`insert into canonical_email_blocks (${columns})
    values (${row.id}, ${row.canonical_email_hash}, ${row.account_id}, ${row.created_at}) on conflict do nothing`)) > 0

export const deleteCanonicalEmailBlock = async (tx: Tx, hash: string): Promise<CanonicalEmailBlockRow | null> =>
  deleteBlock(
    tx,
    await tx.row(sql`select ${columns} from canonical_email_blocks where canonical_email_hash = ${hash} for update`),
  )

/** Stores blocks of e-mail addresses. Existing blocks of the same addresses are not changed. */
export const insertCanonicalEmailBlocks = (tx: Tx, rows: readonly CanonicalEmailBlockRow[]): Promise<number> =>
  tx.run(sql`insert into canonical_email_blocks (${columns})
    select id, hash, account, at from unnest(${rows.map((row) => row.id)}::bigint[],
      ${rows.map((row) => row.canonical_email_hash)}::text[], ${rows.map((row) => row.account_id)}::bigint[],
      ${rows.map((row) => row.created_at)}::timestamptz[]) as given(id, hash, account, at)
    order by hash on conflict do nothing`)

/** Stores suspended accounts with the hashes of their e-mail addresses. Several accounts may have the same hash. */
export const insertEmailHolders = (tx: Tx, rows: readonly { account: string; hash: string }[]): Promise<number> =>
  tx.run(sql`insert into canonical_email_holders (account_id, canonical_email_hash)
    select account, hash from unnest(${rows.map((row) => row.account)}::bigint[], ${rows.map((row) => row.hash)}::text[])
      as given(account, hash) order by account, hash on conflict do nothing`)

/** Removes the blocks that suspensions of these accounts created. A block that another suspended account needs stays. */
export const deleteCanonicalEmailBlocksOf = async (tx: Tx, accounts: readonly string[]): Promise<void> => {
  await tx.run(sql`delete from canonical_email_holders where account_id = any(${accounts}::bigint[])`)
  await tx.run(sql`update canonical_email_blocks b set account_id = h.account_id from canonical_email_holders h
    where b.account_id = any(${accounts}::bigint[]) and h.canonical_email_hash = b.canonical_email_hash`)
  await tx.run(sql`delete from canonical_email_blocks where account_id = any(${accounts}::bigint[])`)
}

/** The block of an e-mail address by its hash; null if the address is not blocked. */
export const canonicalEmailBlockByHash = (db: Reader, hash: string): Promise<CanonicalEmailBlockRow | null> =>
  db.row(sql`select ${columns} from canonical_email_blocks where canonical_email_hash = ${hash}`)
