/** SQL that finds the statuses of a feed that an account wrote, boosted or is mentioned in. */
import { type Reader, sql } from '@murmuration/db'

/** The given ids whose status or boost is by the account. */
export const writtenBy = async (db: Reader, ids: readonly string[], account: string): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select s.id from unnest(${ids}::bigint[]) as wanted(id)
    cross join lateral (select s.id, s.author_id from statuses s where s.id = wanted.id) s
    where s.author_id = ${account}`)
  return rows.map((row) => row.id)
}

/**
 * The given ids whose status names the account: as author, as boosted author, or as mentioned account, also in the
 * original.
 */
export const namingAccount = async (db: Reader, ids: readonly string[], account: string): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select s.id from unnest(${ids}::bigint[]) as wanted(id)
    cross join lateral (select s.id, s.author_id, s.reblog_of_id, s.reblog_of_author_id from statuses s
      where s.id = wanted.id) s
    where s.author_id = ${account} or s.reblog_of_author_id = ${account}
      or exists (select 1 from mentions m where m.status_id = s.id and m.account_id = ${account})
      or exists (select 1 from mentions m where m.status_id = s.reblog_of_id and m.account_id = ${account})`)
  return rows.map((row) => row.id)
}
