/** Table `notifications`: inserting each notification once, and reading pages. */
import { NotificationType } from '@murmuration/contracts/entities'
import { bigints, type Cursor, keyset, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import type { Narrowing } from './narrowing.rules.js'
import { senderNotSuspended } from './sender-flag.store.js'

export interface NotificationRow {
  id: string
  recipient_id: string
  type: NotificationType
  from_id: string
  status_id: string | null
  group_key: string | null
  filtered: boolean
  staff: boolean
  detail: unknown
  created_at: Date
}

/** Values that all notifications of one notification candidate share. */
export interface FreshNotification {
  type: NotificationType
  from: string
  fromDomain: string | null
  status: string | null
  source: string
  detail: unknown
  at: Date
}
/** Values of the row of one recipient. */
export interface Notified {
  recipient: string
  groupKey: string | null
  filtered: boolean
  staff: boolean
}

/**
 * Inserts one notification per recipient. Recipients that have a notification of this type and source are skipped.
 * Returns the new rows.
 */
export const insertNotifications = (
  tx: Tx,
  candidate: FreshNotification,
  notified: readonly Notified[],
): Promise<{ id: string; recipient_id: string; filtered: boolean }[]> =>
  tx.rows(sql`insert into notifications
      (recipient_id, type, from_id, from_domain, status_id, source, group_key, filtered, staff, detail, created_at)
    select recipient, ${candidate.type}, ${candidate.from}::bigint, ${candidate.fromDomain}::text, ${candidate.status}::bigint, ${candidate.source},
      group_key, filtered, staff, ${candidate.detail === null ? null : JSON.stringify(candidate.detail)}::jsonb, ${candidate.at}::timestamptz
    from unnest(${notified.map((one) => one.recipient)}::bigint[], ${notified.map((one) => one.groupKey)}::text[],
      ${notified.map((one) => one.filtered)}::boolean[], ${notified.map((one) => one.staff)}::boolean[])
      as given(recipient, group_key, filtered, staff)
    order by recipient on conflict (recipient_id, type, source) do nothing
    returning id, recipient_id, filtered`)

export const columns = sql`n.id, n.recipient_id, n.type, n.from_id, n.status_id, n.group_key, n.filtered, n.staff, n.detail, n.created_at`

/** SQL condition: the type of the notification `n` is known. Rows of a newer release may have other types. */
export const typeKnown = sql`n.type = any(${NotificationType.options}::text[])`

/** SQL condition: notifications `n` of a recipient that match the filters of a list and whose sender is not suspended. */
export const narrowed = (recipient: string, { types, from, withFiltered }: Narrowing): Sql =>
  sql`n.recipient_id = ${recipient}
    ${withFiltered ? sql`` : sql`and not n.filtered`}
    and ${types === null ? typeKnown : sql`n.type = any(${types}::text[])`}
    ${from === null ? sql`` : sql`and n.from_id = ${from}::bigint`}
    and ${senderNotSuspended}`

/** One page of notifications, in the order of its cursor: oldest first for `min_id`, else newest first. */
export const notificationPage = (
  db: Reader,
  recipient: string,
  narrowing: Narrowing,
  page: Cursor,
): Promise<NotificationRow[]> =>
  db.rows(
    sql`select ${columns} from notifications n where ${narrowed(recipient, narrowing)} ${keyset(sql`n.id`, page)}`,
  )

/** Number of notifications newer than `after`, counted up to `limit`. */
export const countNewer = async (
  db: Reader,
  recipient: string,
  narrowing: Narrowing,
  after: string,
  limit: number,
): Promise<number> =>
  (
    await db.row<{ count: number }>(sql`select count(*)::int as count from (
      select 1 from notifications n where ${narrowed(recipient, narrowing)} and n.id > ${after}::bigint
      order by n.id desc limit ${limit}) newer`)
  )?.count ?? 0

/** Notifications of a recipient by id, including filtered ones. Notifications by suspended senders and of unknown types are left out. */
export const notificationsByIds = (db: Reader, recipient: string, ids: readonly string[]): Promise<NotificationRow[]> =>
  db.rows(sql`select ${columns} from notifications n
    where n.id = any(${bigints(ids)}) and n.recipient_id = ${recipient} and ${typeKnown} and ${senderNotSuspended}`)

/** One notification by id. Null if it does not exist, its type is unknown, or its sender is suspended. */
export const notificationById = (db: Reader, id: string): Promise<NotificationRow | null> =>
  db.row(sql`select ${columns} from notifications n where n.id = ${id} and ${typeKnown} and ${senderNotSuspended}`)
