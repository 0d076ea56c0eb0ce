/** Table `requests`: one row per recipient and sender whose filtered notifications wait for the recipient's decision. */
import { limits } from '@murmuration/contracts/limits'
import { type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'
import { senderNotSuspended } from './sender-flag.store.js'

export interface RequestRow {
  id: string
  from_id: string
  from_domain: string | null
  last_status_id: string | null
  notifications_count: number
  created_at: Date
  updated_at: Date
}

const columns = sql`n.id, n.from_id, n.from_domain, n.last_status_id, n.notifications_count, n.created_at, n.updated_at`
/** Maximum number of notification requests, and of their notifications, that are returned to clients. */
const MAX_COUNT = limits.delivery.pendingNotificationsShown

/**
 * Inserts the notification request of each recipient about the sender `from`, or adds 1 to its count. `ids`: one new id
 * per recipient.
 */
export const countInRequests = async (
  tx: Tx,
  recipients: readonly string[],
  ids: readonly string[],
  request: { from: string; fromDomain: string | null; status: string | null; at: Date },
): Promise<void> => {
  if (recipients.length === 0) return
  await tx.run(sql`insert into requests
      (id, recipient_id, from_id, from_domain, last_status_id, notifications_count, created_at, updated_at)
    select id, recipient, ${request.from}::bigint, ${request.fromDomain}::text, ${request.status}::bigint, 1,
      ${request.at}::timestamptz, ${request.at}::timestamptz
    from unnest(${ids}::bigint[], ${recipients}::bigint[]) as given(id, recipient)
    order by recipient on conflict (recipient_id, from_id) do update set last_status_id = excluded.last_status_id,
      notifications_count = requests.notifications_count + 1, updated_at = excluded.updated_at`)
}

/**
 * Sets the count and the last status of notification requests from their filtered mentions and quotes. Requests without
 * such notifications are deleted.
 */
export const recountRequests = async (
  tx: Tx,
  pairs: readonly { recipient_id: string; from_id: string }[],
): Promise<void> => {
  if (pairs.length === 0) return
  const recipients = pairs.map((one) => one.recipient_id)
  const senders = pairs.map((one) => one.from_id)
  await tx.run(sql`with locked as (select r.recipient_id, r.from_id from requests r
      join (select distinct * from unnest(${recipients}::bigint[], ${senders}::bigint[])) as g(recipient, sender)
        on r.recipient_id = g.recipient and r.from_id = g.sender
      order by r.recipient_id, r.from_id for update of r)
    update requests r set notifications_count = c.count, last_status_id = c.last
    from (select g.recipient, g.sender, count(n.id)::int as count, max(n.status_id) as last
      from (select distinct * from unnest(${recipients}::bigint[], ${senders}::bigint[]) as given(recipient, sender)) g
      left join lateral (select n.id, n.status_id from notifications n
        where n.recipient_id = g.recipient and n.from_id = g.sender and n.filtered and n.type in ('mention', 'quote')
        order by n.id desc limit ${MAX_COUNT}) n on true
      group by g.recipient, g.sender) c, locked
    where locked.recipient_id = r.recipient_id and locked.from_id = r.from_id and r.recipient_id = c.recipient and r.from_id = c.sender`)
  await tx.run(sql`delete from requests r using unnest(${recipients}::bigint[], ${senders}::bigint[]) as g(recipient, sender)
    where r.recipient_id = g.recipient and r.from_id = g.sender and r.notifications_count = 0`)
}

export const deleteRequestsOfDomain = (tx: Tx, recipient: string, domain: string): Promise<number> =>
  tx.run(sql`delete from requests where recipient_id = ${recipient} and from_domain = ${domain}`)

export const deleteRequest = (tx: Tx, recipient: string, from: string): Promise<number> =>
  tx.run(sql`delete from requests where recipient_id = ${recipient} and from_id = ${from}`)

/** One page of the notification requests of a recipient. Requests of suspended senders are left out. */
export const requestPage = (db: Reader, recipient: string, page: Cursor): Promise<RequestRow[]> =>
  db.rows(sql`select ${columns} from requests n
    where n.recipient_id = ${recipient} and ${senderNotSuspended} ${keyset(sql`n.id`, page)}`)

export const requestById = (db: Reader, recipient: string, id: string): Promise<RequestRow | null> =>
  db.row(sql`select ${columns} from requests n
    where n.recipient_id = ${recipient} and n.id = ${id} and ${senderNotSuspended}`)

/** Deletes notification requests and returns the deleted rows. Unknown ids are ignored. */
export const takeRequests = (tx: Tx, recipient: string, ids: readonly string[]): Promise<RequestRow[]> =>
  tx.rows(sql`delete from requests n where n.recipient_id = ${recipient} and n.id = any(${ids}::bigint[])
    returning ${columns}`)

/** Number of waiting notification requests, and number of notifications in the newest requests, each at most MAX_COUNT. */
export const pendingOf = async (db: Reader, recipient: string): Promise<{ requests: number; notifications: number }> =>
  (await db.row<{ requests: number; notifications: number }>(sql`select count(*)::int as requests,
      least(coalesce(sum(notifications_count), 0), ${MAX_COUNT})::int as notifications
    from (select n.notifications_count from requests n
      where n.recipient_id = ${recipient} and ${senderNotSuspended} order by n.id desc limit ${MAX_COUNT}) newest`)) ?? {
    requests: 0,
    notifications: 0,
  }
