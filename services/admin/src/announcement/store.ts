/** Stores announcements, their dismissals and emoji reactions. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface AnnouncementRow {
  id: string
  text: string
  starts_at: Date | null
  ends_at: Date | null
  all_day: boolean
  scheduled_at: Date | null
  published_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface ReactionRow {
  announcement_id: string
  name: string
  url: string | null
  static_url: string | null
  count: number
  me: boolean
}

/** An emoji as a reaction to an announcement. The URLs are null for Unicode emoji. */
export interface ReactionEmoji {
  name: string
  url: string | null
  static_url: string | null
}

const columns = sql`id, text, starts_at, ends_at, all_day, scheduled_at, published_at, created_at, updated_at`

/** Published announcements in order of time; `read`: the account dismissed it. */
export const publishedFor = (db: Reader, accountId: string): Promise<(AnnouncementRow & { read: boolean })[]> =>
  db.rows(sql`select ${columns}, exists (select 1 from announcement_dismissals d
      where d.account_id = ${accountId} and d.announcement_id = announcements.id) as read
    from announcements where published_at is not null and removed_at is null
    order by coalesce(starts_at, scheduled_at, published_at, created_at), id limit 500`)

export const everyAnnouncement = (db: Reader): Promise<AnnouncementRow[]> =>
  db.rows<AnnouncementRow>(
    sql`select ${columns} from announcements where removed_at is null order by id desc limit 1000`,
  )

/** A published announcement; null when there is none. */
export const published = (db: Reader, id: string): Promise<AnnouncementRow | null> =>
  db.row<AnnouncementRow>(
    sql`select ${columns} from announcements where id = ${id} and published_at is not null and removed_at is null`,
  )

/**
 * One announcement, locked until the transaction ends. Because of the lock, simultaneous reactions to the announcement
 * are counted one after the other.
 */
export const lockAnnouncement = (tx: Tx, id: string): Promise<AnnouncementRow | null> =>
  tx.row<AnnouncementRow>(sql`select ${columns} from announcements where id = ${id} and removed_at is null for update`)

/** Stores an announcement or replaces it. */
export const putAnnouncement = (tx: Tx, row: AnnouncementRow): Promise<number> =>
  tx.run(sql`insert into announcements (${columns})
    values (${row.id}, ${row.text}, ${row.starts_at}, ${row.ends_at}, ${row.all_day}, ${row.scheduled_at},
      ${row.published_at}, ${row.created_at}, ${row.updated_at})
    on conflict (id) do update set text = excluded.text, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      all_day = excluded.all_day, scheduled_at = excluded.scheduled_at, published_at = excluded.published_at,
      updated_at = excluded.updated_at`)

/** Removes an announcement. The row and the emoji reactions of the announcement stay, so that the removal can be undone. */
export const removeAnnouncement = (tx: Tx, id: string, at: Date): Promise<number> =>
  tx.run(sql`update announcements set removed_at = ${at} where id = ${id}`)

/** Restores a removed announcement; null if its row was deleted. */
export const restoreAnnouncement = (tx: Tx, id: string): Promise<AnnouncementRow | null> =>
  tx.row<AnnouncementRow>(sql`update announcements set removed_at = null
    where id = ${id} and removed_at is not null returning ${columns}`)

/** Publishes announcements that are due, and returns them. */
export const publishDue = (tx: Tx, at: Date): Promise<AnnouncementRow[]> =>
  tx.rows<AnnouncementRow>(sql`update announcements set published_at = ${at}, scheduled_at = null, updated_at = ${at}
    where scheduled_at <= ${at} and published_at is null and removed_at is null returning ${columns}`)

/**
 * Unpublishes announcements after their end time, never earlier (S-080). Returns the ids of unpublished announcements.
 */
export const unpublishEnded = (tx: Tx, at: Date): Promise<{ id: string }[]> =>
  tx.rows<{ id: string }>(sql`update announcements set published_at = null, updated_at = ${at}
    where published_at is not null and ends_at <= ${at} and removed_at is null returning id`)

export const dismiss = (tx: Tx, id: string, accountId: string): Promise<number> =>
  tx.run(sql`insert into announcement_dismissals (announcement_id, account_id) values (${id}, ${accountId})
    on conflict do nothing`)

/** Emoji reactions to announcements, in the order of their first use. `me`: true if this account has used the emoji. */
export const reactionsTo = (db: Reader, ids: readonly string[], accountId: string | null): Promise<ReactionRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.rows<ReactionRow>(sql`select announcement_id, name, min(url) as url, min(static_url) as static_url,
          count(*)::int as count, coalesce(bool_or(account_id = ${accountId}::bigint), false) as me
        from announcement_reactions where announcement_id = any(${ids}::bigint[])
        group by announcement_id, name order by announcement_id, min(created_at), name`)

/** Stores a reaction. Returns 0 if the account has this reaction already. */
export const addReaction = (tx: Tx, id: string, accountId: string, emoji: ReactionEmoji, at: Date): Promise<number> =>
  tx.run(sql`insert into announcement_reactions (announcement_id, name, account_id, url, static_url, created_at)
    values (${id}, ${emoji.name}, ${accountId}, ${emoji.url}, ${emoji.static_url}, ${at}) on conflict do nothing`)

/** Removes the reaction of an account to an announcement and returns it; null if there was none. */
export const takeReaction = (tx: Tx, id: string, accountId: string, name: string): Promise<ReactionEmoji | null> =>
  tx.row<ReactionEmoji>(sql`delete from announcement_reactions
    where announcement_id = ${id} and name = ${name} and account_id = ${accountId} returning name, url, static_url`)

/** Deletes all announcement dismissals and emoji reactions of an account. */
export const deleteReader = async (tx: Tx, accountId: string): Promise<void> => {
  await tx.run(sql`delete from announcement_dismissals where account_id = ${accountId}`)
  await tx.run(sql`delete from announcement_reactions where account_id = ${accountId}`)
}
