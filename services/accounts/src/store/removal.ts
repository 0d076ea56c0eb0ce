/** People who left: marked at once, erased a while later, and logins that never began. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Ends a login and hides the account: from now on nobody finds it, and its name stays taken. */
export const markRemoved = async (tx: Tx, accountId: string, at: Date): Promise<void> => {
  await tx.run(
    sql`update accounts set removed_at = ${at}, suspended_at = coalesce(suspended_at, ${at}) where id = ${accountId}`,
  )
  await tx.run(sql`insert into removals (account_id, removed_at) values (${accountId}, ${at}) on conflict do nothing`)
  await tx.run(sql`delete from users where account_id = ${accountId}`)
}

/** Accounts that left before this time and are not erased yet, the oldest first. */
export const dueRemovals = async (db: Reader, before: Date, limit: number): Promise<string[]> =>
  (
    await db.rows<{ account_id: string }>(sql`select account_id from removals where removed_at < ${before}
      order by removed_at limit ${limit}`)
  ).map((row) => row.account_id)

/** Keys under which media keeps the pictures of an account. */
export const pictureKeys = async (db: Reader, accountId: string): Promise<string[]> => {
  const row = await db.row<{ avatar: string | null; header: string | null }>(
    sql`select avatar ->> 'key' as avatar, header ->> 'key' as header from accounts where id = ${accountId}`,
  )
  return [row?.avatar, row?.header].filter((key) => typeof key === 'string')
}

/** Erases everything that hangs on the account; what is left is the name, the address of the actor, and when it left. */
export const eraseRemoved = async (tx: Tx, accountId: string): Promise<void> => {
  const kept = await tx.row<{ username: string; uri: string; url: string; removed_at: Date; created_at: Date }>(
    sql`delete from accounts where id = ${accountId} and removed_at is not null
      returning username, uri, url, removed_at, created_at`,
  )
  if (!kept) return
  await tx.run(sql`insert into accounts (id, username, uri, url, created_at, removed_at, suspended_at)
    values (${accountId}, ${kept.username}, ${kept.uri}, ${kept.url}, ${kept.created_at}, ${kept.removed_at}, ${kept.removed_at})`)
}

/** Erases local accounts that nobody ever could use; names and addresses are free again. Gives what they were. */
export const eraseUnused = (tx: Tx, accountIds: readonly string[]): Promise<{ id: string; uri: string }[]> =>
  tx.rows(sql`delete from accounts a using users u
    where a.id = any(${accountIds}::bigint[]) and u.account_id = a.id and (u.confirmed_at is null or not u.approved)
    returning a.id, a.uri`)
