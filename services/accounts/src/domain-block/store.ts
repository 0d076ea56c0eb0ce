/** Reads and writes domain blocks of users. */
import { type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'

/** Stores a domain block of a user. Returns false if the block exists already. */
export const insertDomainBlock = async (
  tx: Tx,
  row: { id: string; account: string; domain: string; at: Date },
): Promise<boolean> =>
  (await tx.run(sql`insert into domain_blocks (id, account_id, domain, created_at)
    values (${row.id}, ${row.account}, ${row.domain}, ${row.at}) on conflict do nothing`)) > 0

export const blocksDomain = async (db: Reader, account: string, domain: string): Promise<boolean> =>
  (await db.row(sql`select 1 from domain_blocks where account_id = ${account} and domain = ${domain}`)) !== null

export const deleteDomainBlock = async (tx: Tx, account: string, domain: string): Promise<boolean> =>
  (await tx.run(sql`delete from domain_blocks where account_id = ${account} and domain = ${domain}`)) > 0

export const domainBlocksOf = (db: Reader, account: string, page: Cursor): Promise<{ id: string; domain: string }[]> =>
  db.rows(sql`select d.id, d.domain from domain_blocks d where d.account_id = ${account} ${keyset(sql`d.id`, page)}`)
