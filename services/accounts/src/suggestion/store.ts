/** Reads candidates for suggestions, and stores dismissals. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { isDiscoverable, isNotHiddenFrom, isUsable, withLogin } from './directory.store.js'

/** Maximum number of followees of the viewer that are read, of followees of each of them, and of candidates that are checked. */
const MAX_FRIENDS = 200
const MAX_OF_FRIEND = 200
const CANDIDATES = 2_000

/** SQL condition: discoverable, and neither followed, requested, blocked, muted nor dismissed by the viewer, nor the viewer. */
const isWorthFollowing = (viewer: string, at: Date): Sql => sql`${isDiscoverable} and not a.memorial and ${isUsable}
  and a.id <> ${viewer}::bigint and ${isNotHiddenFrom(viewer, at)}
  and not exists (select 1 from follows f where f.account_id = ${viewer}::bigint and f.target_id = a.id)
  and not exists (select 1 from follow_requests q where q.account_id = ${viewer}::bigint and q.target_id = a.id)
  and not exists (select 1 from suggestion_dismissals g where g.account_id = ${viewer}::bigint and g.target_id = a.id)`

const ids = async (db: Reader, query: Sql): Promise<string[]> =>
  (await db.rows<{ id: string }>(query)).map((row) => row.id)

/** The accounts in `among` that may be suggested to the viewer, in their order. */
export const suggestableAmong = (db: Reader, viewer: string, among: readonly string[], at: Date): Promise<string[]> =>
  among.length === 0
    ? Promise.resolve([])
    : ids(
        db,
        sql`select a.id from unnest(${among}::bigint[]) with ordinality as wanted(id, place)
          join accounts a on a.id = wanted.id ${withLogin} where ${isWorthFollowing(viewer, at)} order by wanted.place`,
      )

/** Accounts followed by accounts that the viewer follows, most frequent first. Accounts that hide their follows are left out. */
export const friendsOfFriends = (db: Reader, viewer: string, limit: number, at: Date): Promise<string[]> =>
  ids(
    db,
    sql`with friends as materialized (
      select f.target_id from follows f join accounts t on t.id = f.target_id
      where f.account_id = ${viewer} and t.hide_collections is not true and t.suspended_at is null
      order by f.id desc limit ${MAX_FRIENDS}
    ), found as materialized (
      select theirs.target_id as id, count(*) as n from friends
      cross join lateral (select f.target_id from follows f where f.account_id = friends.target_id
        order by f.id desc limit ${MAX_OF_FRIEND}) theirs
      group by theirs.target_id order by count(*) desc limit ${CANDIDATES}
    )
    select a.id from found join accounts a on a.id = found.id left join account_stats s on s.account_id = a.id
    ${withLogin} where ${isWorthFollowing(viewer, at)}
    order by found.n desc, s.followers_count desc nulls last, a.id limit ${limit}`,
  )

/** The most followed accounts that may be suggested to the viewer. */
export const recommended = (db: Reader, viewer: string, limit: number, at: Date): Promise<string[]> =>
  ids(
    db,
    sql`select a.id from recommended_accounts r join accounts a on a.id = r.account_id ${withLogin}
      where ${isWorthFollowing(viewer, at)} order by r.place limit ${limit}`,
  )

/**
 * Maximum number of accounts, those with the most followers first, that are checked for being discoverable. Many
 * accounts with many followers are not discoverable.
 */
const MAX_LOOKED_AT = 20_000

/** Replaces the list of the most followed accounts. */
export const replaceRecommended = async (tx: Tx, count: number): Promise<void> => {
  await tx.run(sql`delete from recommended_accounts`)
  await tx.run(sql`with followed as materialized (select account_id, followers_count from account_stats
      where followers_count > 0 order by followers_count desc, account_id limit ${MAX_LOOKED_AT})
    insert into recommended_accounts (place, account_id)
    select row_number() over (order by s.followers_count desc, a.id), a.id
    from followed s join accounts a on a.id = s.account_id ${withLogin}
    where ${isDiscoverable} and not a.memorial and ${isUsable}
    order by s.followers_count desc, a.id limit ${count}`)
}

/** Stores a dismissal. Has no effect if the account does not exist, or was dismissed before. */
export const insertDismissal = (tx: Tx, account: string, target: string): Promise<number> =>
  tx.run(sql`insert into suggestion_dismissals (account_id, target_id)
    select ${account}::bigint, id from accounts where id = ${target} on conflict do nothing`)
