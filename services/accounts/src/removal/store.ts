/** Marks local accounts as deleted and erases them later. Erases users that were never usable. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/**
 * Deletes users and marks their accounts as removed, so that no operation finds the accounts. The names of removed
 * accounts stay taken.
 */
export const markRemoved = async (tx: Tx, accountIds: readonly string[], at: Date): Promise<void> => {
  await tx.run(sql`update accounts set removed_at = ${at}, suspended_at = coalesce(suspended_at, ${at})
    where id = any(${accountIds}::bigint[])`)
  await tx.run(sql`insert into removals (account_id, removed_at)
    select id, ${at} from unnest(${accountIds}::bigint[]) as gone(id) order by id on conflict do nothing`)
  await tx.run(sql`delete from users where account_id = any(${accountIds}::bigint[])`)
}

/** Local accounts suspended before the time `before`, longest suspension first. */
export const dueSuspended = async (db: Reader, before: Date, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select a.id from accounts a
      where a.domain is null and a.removed_at is null and a.suspended_at < ${before}
        and exists (select 1 from users u where u.account_id = a.id)
      order by a.suspended_at limit ${limit}`)
  ).map((row) => row.id)

/** The accounts among `accountIds` that are still suspended since before the time `before`. */
export const stillSuspended = (
  tx: Tx,
  accountIds: readonly string[],
  before: Date,
): Promise<{ account_id: string; user_id: string; username: string; email: string; locale: string; uri: string }[]> =>
  tx.rows(sql`select a.id as account_id, u.id as user_id, a.username, u.email, u.locale, a.uri
    from accounts a join users u on u.account_id = a.id
    where a.id = any(${accountIds}::bigint[]) and a.domain is null and a.removed_at is null
      and a.suspended_at < ${before} order by a.id`)

/** Accounts deleted before the time `before` that are not erased yet, oldest first. */
export const dueRemovals = async (db: Reader, before: Date, limit: number): Promise<string[]> =>
  (
    await db.rows<{ account_id: string }>(sql`select account_id from removals where removed_at < ${before}
      order by removed_at limit ${limit}`)
  ).map((row) => row.account_id)

/** Keys under which the media service stores the pictures of accounts. Accounts without pictures are left out. */
export const pictureKeys = (db: Reader, accountIds: readonly string[]): Promise<{ owner: string; keys: string[] }[]> =>
  db.rows(sql`select id as owner, array_remove(array[avatar ->> 'key', header ->> 'key'], null) as keys from accounts
    where id = any(${accountIds}::bigint[]) and (avatar ? 'key' or header ? 'key')`)

/** Erases accounts and all dependent rows. Only names, actor ids, and the times of creation and deletion are stored again. */
export const eraseRemoved = async (tx: Tx, accountIds: readonly string[]): Promise<void> => {
  type Kept = { id: string; username: string; uri: string; url: string; removed_at: Date; created_at: Date }
  const kept = await tx.rows<Kept>(sql`delete from accounts
    where id = any(${accountIds}::bigint[]) and removed_at is not null
    returning id, username, uri, url, removed_at, created_at`)
  const each = <K extends keyof Kept>(name: K): Kept[K][] => kept.map((row) => row[name])
  await tx.run(sql`insert into accounts (id, username, uri, url, created_at, removed_at, suspended_at)
    select id, username, uri, url, created_at, removed_at, removed_at from unnest(${each('id')}::bigint[],
      ${each('username')}::text[], ${each('uri')}::text[], ${each('url')}::text[], ${each('created_at')}::timestamptz[],
      ${each('removed_at')}::timestamptz[]) as kept(id, username, uri, url, created_at, removed_at)`)
}

/** Erases local accounts that were never usable, so that names and addresses are free again. Returns the erased accounts. */
export const eraseUnused = (tx: Tx, accountIds: readonly string[]): Promise<{ id: string; uri: string }[]> =>
  tx.rows(sql`delete from accounts a using users u
    where a.id = any(${accountIds}::bigint[]) and u.account_id = a.id and (u.confirmed_at is null or not u.approved)
    returning a.id, a.uri`)
