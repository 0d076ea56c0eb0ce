/** Reads pages and counts of followers, of followed accounts and of follow requests. */
import { type Cursor, keyset, type Reader, type Sql, sql } from '@murmuration/db'

/** A row of a page of accounts: the cursor, and the id of the account whose card is shown. */
export interface AccountOfPage {
  cursor: string
  account_id: string
}

/**
 * SQL condition that leaves out accounts that the viewer blocks or mutes, or that block the viewer. The condition is
 * empty without a viewer.
 */
const unseen = (viewer: string | null, at: Date): Sql =>
  viewer === null
    ? sql``
    : sql`and not exists (select 1 from blocks b where b.account_id = ${viewer} and b.target_id = a.id)
        and not exists (select 1 from blocks b where b.account_id = a.id and b.target_id = ${viewer})
        and not exists (select 1 from mutes m where m.account_id = ${viewer} and m.target_id = a.id
          and (m.expires_at is null or m.expires_at > ${at}))`

/** Followers or followees of an account, with the row id as cursor. */
export const followPage = (
  db: Reader,
  id: string,
  which: 'followers' | 'following',
  page: Cursor,
  hide: { viewer: string | null; at: Date },
): Promise<AccountOfPage[]> => {
  const [side, other] =
    which === 'followers' ? [sql`f.target_id`, sql`f.account_id`] : [sql`f.account_id`, sql`f.target_id`]
  return db.rows(sql`select f.id as cursor, a.id as account_id from follows f join accounts a on a.id = ${other}
    where ${side} = ${id} and a.suspended_at is null ${unseen(hide.viewer, hide.at)} ${keyset(sql`f.id`, page)}`)
}

/** Accounts that requested to follow an account. Suspended ones are left out. */
export const requestersOf = (db: Reader, id: string, page: Cursor): Promise<AccountOfPage[]> =>
  db.rows(sql`select q.id as cursor, q.account_id from follow_requests q
    join accounts a on a.id = q.account_id
    where q.target_id = ${id} and a.suspended_at is null ${keyset(sql`q.id`, page)}`)

/** Number of accounts that requested to follow an account, counted up to `limit`. */
export const countRequesters = async (db: Reader, id: string, limit: number): Promise<number> =>
  (
    await db.row<{ n: number }>(sql`select count(*)::int as n from (select 1 from follow_requests q
    join accounts a on a.id = q.account_id and a.suspended_at is null where q.target_id = ${id} limit ${limit}) waiting`)
  )?.n ?? 0

/** Number of followers whose follow has an id from `from` up to, but not including, `to`. */
export const countFollowersBetween = async (db: Reader, target: string, from: string, to: string): Promise<number> =>
  (
    await db.row<{ count: number }>(sql`select count(*)::int as count from follows
      where target_id = ${target} and id >= ${from} and id < ${to}`)
  )?.count ?? 0

/** Whether a local account follows this account. */
export const isFollowedHere = async (db: Reader, account: string): Promise<boolean> =>
  (await db.row(sql`select 1 as one from follows where target_id = ${account} and account_local limit 1`)) !== null
