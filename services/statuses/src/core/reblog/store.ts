/** SQL of boosts: account, original and boost. The boost is also a row of `statuses`. */
import { type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'

export interface BoosterRow {
  account_id: string
  reblog_id: string
}

/** Local accounts that boosted a status, ordered by the id of the boost. */
export const localBoostersOf = (
  db: Reader,
  status: string,
  page: { after: string; limit: number },
): Promise<BoosterRow[]> =>
  db.rows(sql`select r.account_id, r.reblog_id from reblogs r
    join author_flags a on a.account_id = r.account_id and a.local
    where r.status_id = ${status} and r.reblog_id > ${page.after}::bigint order by r.reblog_id limit ${page.limit}`)

/** Ids of the boosts of a status by local accounts, newest first; with `author`, only the boost by this account. */
export const localBoostsOf = async (
  db: Reader,
  status: string,
  { limit, author }: { limit: number; author?: string | undefined },
): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select r.reblog_id as id from reblogs r
      join author_flags a on a.account_id = r.account_id and a.local
      where r.status_id = ${status} ${author === undefined ? sql`` : sql`and r.account_id = ${author}`}
      order by r.reblog_id desc limit ${limit}`)
  ).map((row) => row.id)

export interface Reblog {
  account_id: string
  status_id: string
  reblog_id: string
}

/** Stores a boost. Returns null if the account has boosted the status. */
export const insertReblog = (tx: Tx, one: Reblog, open: boolean): Promise<Reblog | null> =>
  tx.row(sql`insert into reblogs (account_id, status_id, reblog_id, open)
    values (${one.account_id}, ${one.status_id}, ${one.reblog_id}, ${open})
    on conflict (account_id, status_id) do nothing returning account_id, status_id, reblog_id`)

export const reblogOf = (db: Reader, account: string, status: string): Promise<Reblog | null> =>
  db.row(
    sql`select account_id, status_id, reblog_id from reblogs where account_id = ${account} and status_id = ${status}`,
  )

/** Deletes these boosts. Returns the originals whose counters must be reduced. */
export const deleteReblogs = async (tx: Tx, boosts: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ status_id: string }>(
      sql`delete from reblogs where reblog_id = any(${boosts}::bigint[]) returning status_id`,
    )
  ).map((row) => row.status_id)

/** Boosts of a status, at most `limit`. */
export const reblogsOf = (db: Reader, status: string, limit: number): Promise<Reblog[]> =>
  db.rows(sql`select account_id, status_id, reblog_id from reblogs where status_id = ${status}
    order by reblog_id limit ${limit}`)

/** A page of accounts that boosted a status publicly or unlisted, by the id of the boost. */
export const rebloggersOf = (db: Reader, status: string, page: Cursor): Promise<{ id: string; account_id: string }[]> =>
  db.rows(sql`select reblog_id as id, account_id from reblogs where status_id = ${status} and open
    ${keyset(sql`reblog_id`, page)}`)
