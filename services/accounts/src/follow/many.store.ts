/** Reads and inserts rows for tasks that change follows of many local accounts. */
import { name, type Reader, sql, type Tx } from '@murmuration/db'
import type { FollowTable } from '../core/follow/store.js'

/**
 * A page of active local accounts, in ascending order of id, after the id `after`. `may_follow`: false for the target
 * itself, its followers, and accounts with a block between them and the target.
 */
export const localAccountsAfter = (
  db: Reader,
  target: string,
  after: string,
  limit: number,
): Promise<{ id: string; uri: string; may_follow: boolean }[]> =>
  db.rows(sql`select a.id, a.uri, a.id <> ${target}
      and not exists (select 1 from follows f where f.account_id = a.id and f.target_id = ${target})
      and not exists (select 1 from blocks b where b.account_id = a.id and b.target_id = ${target})
      and not exists (select 1 from blocks b where b.account_id = ${target} and b.target_id = a.id) as may_follow
    from users u join accounts a on a.id = u.account_id
    where u.account_id > ${after || '0'} and u.confirmed_at is not null and u.approved and a.suspended_at is null
      and a.moved_to_id is null
    order by u.account_id limit ${limit}`)

/** Stores follows whose follower is a local account. Returns the ids of the new follows. */
export const insertFollows = async (
  tx: Tx,
  rows: readonly { id: string; from: string; to: string; uri: string }[],
  at: Date,
): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`insert into follows (id, account_id, target_id, account_local, uri, created_at)
      select id, from_id, to_id, true, uri, ${at} from unnest(${rows.map((row) => row.id)}::bigint[],
        ${rows.map((row) => row.from)}::bigint[], ${rows.map((row) => row.to)}::bigint[],
        ${rows.map((row) => row.uri)}::text[]) as fresh(id, from_id, to_id, uri)
      order by from_id, to_id, id on conflict (account_id, target_id) do nothing returning id`)
  ).map((row) => row.id)

/**
 * A page of follows or requests, in ascending order of id, after the id `after`. `followers`: all follows of `target`.
 * `following`: all follows by `target`. `local`: follows of `target` by local accounts.
 */
export const relationsAfter = (
  db: Reader,
  table: FollowTable,
  it: { target: string; which: 'local' | 'followers' | 'following'; after: string; limit: number },
): Promise<{ id: string; from: string; to: string }[]> => {
  const side = it.which === 'following' ? sql`account_id` : sql`target_id`
  const local = it.which === 'local' ? sql`and account_local` : sql``
  return db.rows(sql`select id, account_id as "from", target_id as "to" from ${name(table)}
    where ${side} = ${it.target} ${local} and id > ${it.after} order by id limit ${it.limit}`)
}
