/** SQL of cleanup policies, and of the old statuses that they may delete. */
import type { Cleanup } from '@murmuration/contracts/statuses'
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { Seen } from './rules.js'

export interface CleanupRow extends Cleanup {
  seen: string
  beganAt: Date
}

const columns = sql`enabled, age_days as age, keep_pinned as "keepPinned", keep_direct as "keepDirect",
  keep_polls as "keepPolls", keep_media as "keepMedia", keep_own_favourites as "keepOwnFavourites",
  keep_own_bookmarks as "keepOwnBookmarks", least_favourites as "leastFavourites", least_reblogs as "leastReblogs"`

export const cleanupOf = (db: Reader, account: string): Promise<Cleanup | null> =>
  db.row(sql`select ${columns} from cleanup_policies where account_id = ${account}`)

/** The policy of an account, locked until the transaction ends. */
export const lockCleanup = (tx: Tx, account: string): Promise<CleanupRow | null> =>
  tx.row(
    sql`select ${columns}, seen, began_at as "beganAt" from cleanup_policies where account_id = ${account} for update`,
  )

/**
 * Stores a cleanup policy. The next pass begins at the oldest status, because the new policy may delete statuses that
 * were kept.
 */
export const putCleanup = (db: Reader, account: string, one: Cleanup, now: Date): Promise<number> =>
  db.run(sql`insert into cleanup_policies as p (account_id, enabled, age_days, keep_pinned, keep_direct, keep_polls, keep_media,
      keep_own_favourites, keep_own_bookmarks, least_favourites, least_reblogs, began_at, due_at)
    values (${account}, ${one.enabled}, ${one.age}, ${one.keepPinned}, ${one.keepDirect}, ${one.keepPolls}, ${one.keepMedia},
      ${one.keepOwnFavourites}, ${one.keepOwnBookmarks}, ${one.leastFavourites}, ${one.leastReblogs}, ${now}, ${now})
    on conflict (account_id) do update set enabled = excluded.enabled, age_days = excluded.age_days,
      keep_pinned = excluded.keep_pinned, keep_direct = excluded.keep_direct, keep_polls = excluded.keep_polls,
      keep_media = excluded.keep_media, keep_own_favourites = excluded.keep_own_favourites,
      keep_own_bookmarks = excluded.keep_own_bookmarks, least_favourites = excluded.least_favourites,
      least_reblogs = excluded.least_reblogs, seen = 0, began_at = excluded.began_at, due_at = excluded.due_at`)

export const deleteCleanup = (tx: Tx, account: string): Promise<number> =>
  tx.run(sql`delete from cleanup_policies where account_id = ${account}`)

/**
 * Returns accounts whose next cleanup pass is due, and sets the time of that pass to `until`. Suspended accounts are
 * skipped.
 */
export const takeDueCleanups = async (tx: Tx, now: Date, until: Date, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ account_id: string }>(sql`update cleanup_policies set due_at = ${until} where account_id in (
      select account_id from cleanup_policies p where enabled and due_at <= ${now}
        and not exists (select 1 from author_flags f where f.account_id = p.account_id and f.suspended)
      order by due_at limit ${limit} for update skip locked) returning account_id`)
  ).map((row) => row.account_id)

/** Sets the time of the next cleanup pass of an account. That pass continues after the last status that was checked. */
export const deferCleanup = (db: Reader, account: string, until: Date): Promise<number> =>
  db.run(sql`update cleanup_policies set due_at = ${until} where account_id = ${account} and enabled`)

export const moveCleanup = (
  tx: Tx,
  account: string,
  next: { seen: string; beganAt: Date; dueAt: Date },
): Promise<number> =>
  tx.run(sql`update cleanup_policies set seen = ${next.seen}, began_at = ${next.beganAt}, due_at = ${next.dueAt}
    where account_id = ${account}`)

/** The author's next statuses older than `before`, sorted by id, each with whether the policy keeps it. */
export const oldStatuses = (
  db: Reader,
  author: string,
  one: CleanupRow,
  before: Date,
  limit: number,
): Promise<Seen[]> =>
  db.rows(sql`select s.id, (${one.keepDirect} and s.visibility = 3) or (${one.keepPolls} and s.poll_id is not null)
      or (${one.keepMedia} and s.has_media)
      or (${one.keepPinned} and exists (select 1 from pins p where p.account_id = s.author_id and p.status_id = s.id))
      or (${one.keepOwnFavourites} and exists (select 1 from favourites f where f.account_id = s.author_id and f.status_id = s.id))
      or (${one.keepOwnBookmarks} and exists (select 1 from bookmarks b where b.account_id = s.author_id and b.status_id = s.id))
      or coalesce(coalesce(t.favourites, 0) >= ${one.leastFavourites}::int, false)
      or coalesce(coalesce(t.reblogs, 0) >= ${one.leastReblogs}::int, false) as kept
    from (select id, author_id, visibility, poll_id, has_media from statuses where author_id = ${author}
      and deleted_at is null and id > ${one.seen}::bigint and id < id_floor(${before}::timestamptz) order by id limit ${limit}) s
    left join status_stats t on t.status_id = s.id order by s.id`)

/**
 * Whether an event has waited in the outbox for more than `patienceSeconds`, so that the bus or its consumers are busy.
 */
export const isOutboxBehind = async (db: Reader, patienceSeconds: number): Promise<boolean> =>
  (await db.row(sql`select 1 from outbox
    where sent_at is null and created_at < now() - make_interval(secs => ${patienceSeconds}) limit 1`)) !== null
