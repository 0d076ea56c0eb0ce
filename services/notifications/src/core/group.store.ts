/** Queries for groups of notifications: a page of groups, the summaries of groups, and one group by its key. */
import type { NotificationType } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { type Cursor, isAscending, keyset, type Reader, type Sql, sql } from '@murmuration/db'
import type { Narrowing } from './narrowing.rules.js'
import { columns, type NotificationRow, narrowed, typeKnown } from './notification.store.js'
import type { Range } from './page-range.rules.js'
import { senderNotSuspended } from './sender-flag.store.js'

export interface GroupRow extends NotificationRow {
  /** Key of the group of notifications, as clients know it; `ungrouped-<id>` for a notification without a group. */
  key: string
}

/** Summary of the notifications of a group, without those that are newer than the page. */
export interface GroupSummary {
  newest_id: string
  newest_at: Date
  /** Id of the oldest notification of the group that is on the page. */
  oldest_id: string
  count: number
  /** Account ids of the senders of the group's newest notifications, newest first, at most `limits.delivery.notificationSamples`. */
  senders: string[]
}

/** SQL of the group key, as clients know it. Notifications of types that are not in `grouped` have no group. */
const keyOf = (grouped: readonly NotificationType[]): Sql => sql`case
  when n.group_key is not null and n.type = any(${grouped}::text[]) then n.group_key else 'ungrouped-' || n.id end`

/**
 * One page of groups of notifications. The newest notification represents its group; on pages in ascending order
 * (`min_id`), the oldest one does. Each step of the recursion finds the next notification whose group is not on the
 * page yet.
 */
export const groupPage = (
  db: Reader,
  recipient: string,
  narrowing: Narrowing,
  grouped: readonly NotificationType[],
  page: Cursor,
): Promise<GroupRow[]> => {
  if (page.limit === 0) return Promise.resolve([])
  const key = keyOf(grouped)
  const next = (more: Sql) => sql`select n.id, ${key} as key from notifications n
    where ${narrowed(recipient, narrowing)} ${more} ${keyset(sql`n.id`, { ...page, limit: 1 })}`
  const beyond = isAscending(page) ? sql`and n.id > p.id` : sql`and n.id < p.id`
  return db.rows(sql`with recursive p as (
      select first.id, first.key, array[first.key] as keys from (${next(sql``)}) first
      union all
      select m.id, m.key, p.keys || m.key from p
      cross join lateral (${next(sql`${beyond} and not (${key} = any(p.keys))`)}) m
      where cardinality(p.keys) < ${page.limit}::int
    )
    select ${columns}, p.key from p join notifications n on n.id = p.id order by n.id desc`)
}

/** Summaries of groups of notifications by group key. Groups without a visible notification are left out. */
export const groupSummaries = async (
  db: Reader,
  recipient: string,
  keys: readonly string[],
  range: Range,
): Promise<Map<string, GroupSummary>> => {
  if (keys.length === 0) return new Map()
  const inGroup = sql`n.recipient_id = ${recipient} and n.group_key = wanted.key and not n.filtered and ${senderNotSuspended}
    and (${range.to}::bigint is null or n.id <= ${range.to}::bigint)
    and (${range.below}::bigint is null or n.id < ${range.below}::bigint)`
  const rows = await db.rows<GroupSummary & { key: string }>(sql`select wanted.key, newest.id as newest_id,
      newest.created_at as newest_at, total.count, coalesce(oldest.id, newest.id) as oldest_id,
      array(select n.from_id from notifications n where ${inGroup} order by n.id desc limit ${limits.delivery.notificationSamples}) as senders
    from unnest(${keys}::text[]) as wanted(key)
    cross join lateral (select n.id, n.created_at from notifications n where ${inGroup} order by n.id desc limit 1) newest
    cross join lateral (select count(*)::int as count from notifications n where ${inGroup}) total
    left join lateral (select n.id from notifications n
      where ${inGroup} and (${range.from}::bigint is null or n.id >= ${range.from}::bigint) order by n.id limit 1) oldest on true`)
  return new Map(rows.map(({ key, ...summary }) => [key, summary]))
}

/** SQL condition: the notifications `n` of a recipient that are in the group with this key, as clients know the key. */
export const inGroupOf = (recipient: string, key: string): Sql => {
  const alone = /^ungrouped-(\d{1,18})$/.exec(key)?.[1]
  return alone === undefined
    ? sql`n.recipient_id = ${recipient} and n.group_key = ${key}`
    : sql`n.recipient_id = ${recipient} and n.id = ${alone}::bigint`
}

/** The newest visible notification of the group with this key; null if there is none. */
export const groupByKey = async (db: Reader, recipient: string, key: string): Promise<GroupRow | null> => {
  const row = await db.row<NotificationRow>(sql`select ${columns} from notifications n
    where ${inGroupOf(recipient, key)} and ${typeKnown} and ${senderNotSuspended} order by n.id desc limit 1`)
  return row && { ...row, key }
}

/** One page of the notifications in a group: id and sender of each. */
export const sendersInGroup = (
  db: Reader,
  recipient: string,
  key: string,
  page: Cursor,
): Promise<{ id: string; from_id: string }[]> =>
  db.rows(sql`select n.id, n.from_id from notifications n
    where ${inGroupOf(recipient, key)} and ${typeKnown} and ${senderNotSuspended} ${keyset(sql`n.id`, page)}`)

/** Number of groups with a notification newer than `after`, counted up to `limit`. */
export const countNewerGroups = async (
  db: Reader,
  recipient: string,
  narrowing: Narrowing,
  grouped: readonly NotificationType[],
  after: string,
  limit: number,
): Promise<number> =>
  (
    await db.row<{ count: number }>(sql`select count(*)::int as count from (
      select distinct ${keyOf(grouped)} as key from notifications n
      where ${narrowed(recipient, narrowing)} and n.id > ${after}::bigint limit ${limit}) newer`)
  )?.count ?? 0
