/** Reads and writes blocks of single accounts. */
import { type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'
import type { AccountOfPage } from '../core/follow/page.store.js'
import type { Pair, RelationEnd } from '../core/follow/store.js'

/** Stores blocks and returns the new ones. Existing blocks stay unchanged. */
export const insertBlocks = (
  tx: Tx,
  rows: readonly (Pair & { id: string; uri: string | null })[],
  at: Date,
): Promise<(Pair & { id: string; uri: string | null })[]> =>
  tx.rows(sql`insert into blocks (id, account_id, target_id, uri, created_at)
    select id, "from", "to", uri, ${at}::timestamptz
    from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.from)}::bigint[],
      ${rows.map((row) => row.to)}::bigint[], ${rows.map((row) => row.uri)}::text[]) as given(id, "from", "to", uri)
    order by "from", "to", id on conflict do nothing returning id, account_id as "from", target_id as "to", uri`)

/** Returns the activity id of a block; null if the block does not exist or has no id. */
export const blockUri = async (tx: Tx, pair: Pair): Promise<string | null> =>
  (
    await tx.row<{ uri: string | null }>(
      sql`select uri from blocks where account_id = ${pair.from} and target_id = ${pair.to}`,
    )
  )?.uri ?? null

/** Replaces the activity id of a block, after the blocker sent another Block activity. */
export const renameBlock = async (tx: Tx, pair: Pair, uri: string): Promise<void> => {
  await tx.run(sql`update blocks set uri = ${uri} where account_id = ${pair.from} and target_id = ${pair.to}`)
}

/** Deletes a block and returns the deleted row; null if there was none. */
export const deleteBlock = (tx: Tx, pair: Pair): Promise<RelationEnd | null> =>
  tx.row(sql`with gone as (delete from blocks where account_id = ${pair.from} and target_id = ${pair.to} returning *)
    select gone.id, gone.account_id as "from", gone.target_id as "to", a.domain is null as "fromLocal",
      t.domain is null as "toLocal", gone.uri
    from gone join accounts a on a.id = gone.account_id join accounts t on t.id = gone.target_id`)

export const blockedBy = (db: Reader, id: string, page: Cursor): Promise<AccountOfPage[]> =>
  db.rows(sql`select b.id as cursor, b.target_id as account_id from blocks b
    join accounts a on a.id = b.target_id
    where b.account_id = ${id} and a.suspended_at is null ${keyset(sql`b.id`, page)}`)
