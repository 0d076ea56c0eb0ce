/** Removes notifications about undone activities, by blocked senders, and those that the recipient dismissed. */
import type { NotificationType } from '@murmuration/contracts/entities'
import { type Sql, sql, type Tx } from '@murmuration/db'
import { inGroupOf } from '../core/group.store.js'
import { recountRequests } from '../core/request.store.js'
import { removeMailsOf } from '../mail/index.js'

interface Gone {
  recipient_id: string
  from_id: string
  filtered: boolean
}

/**
 * Deletes the notifications `n` that match the condition, and recounts the notification requests of their senders.
 * Returns the number of deleted rows.
 */
const remove = async (tx: Tx, condition: Sql): Promise<number> => {
  const gone = await tx.rows<Gone>(
    sql`delete from notifications n where ${condition} returning recipient_id, from_id, filtered`,
  )
  await recountRequests(
    tx,
    gone.filter((one) => one.filtered),
  )
  return gone.length
}

/**
 * Like `remove`, at most `limit` rows. For conditions that may match millions of rows, which one statement cannot delete
 * within its time limit.
 */
const removeSome = (tx: Tx, condition: Sql, limit: number): Promise<number> =>
  remove(tx, sql`n.ctid = any(array(select n.ctid from notifications n where ${condition} limit ${limit}))`)

/** Removes all notifications that one activity caused. */
export const removeBySource = (tx: Tx, source: string): Promise<number> => remove(tx, sql`n.source = ${source}`)

/** Removes the notifications of one type about one activity that were created until `at`. */
export const removeUntil = (tx: Tx, type: NotificationType, source: string, at: Date): Promise<number> =>
  remove(tx, sql`n.type = ${type} and n.source = ${source} and n.created_at <= ${at}`)

/** Removes the notifications about one activity for one recipient. */
export const removeFor = (tx: Tx, recipient: string, source: string): Promise<number> =>
  remove(tx, sql`n.source = ${source} and n.recipient_id = ${recipient}`)

/** Removes at most `limit` notifications that show a status. */
export const removeByStatus = (tx: Tx, status: string, limit: number): Promise<number> =>
  removeSome(tx, sql`n.status_id = ${status}`, limit)

/** Removes at most `limit` notifications by a sender, for all recipients. */
export const removeFrom = (tx: Tx, from: string, limit: number): Promise<number> =>
  removeSome(tx, sql`n.from_id = ${from}`, limit)

/** Deletes at most `limit` notifications of a recipient. Notification requests are not recounted. */
export const deleteOf = (tx: Tx, recipient: string, limit: number): Promise<number> =>
  tx.run(sql`delete from notifications where ctid = any(array(
    select ctid from notifications where recipient_id = ${recipient} limit ${limit}))`)

/** Removes the notifications by a sender for one recipient, except mentions by staff. */
export const removeBySender = (tx: Tx, recipient: string, from: string): Promise<number> =>
  remove(tx, sql`n.recipient_id = ${recipient} and n.from_id = ${from} and not n.staff`)

/**
 * Reads the newest `limit` notifications of a recipient below the id `below` (null: all), and removes those by senders on a
 * domain, including mentions by staff. Returns the lowest id that was read, or null if there are no further ones.
 */
export const removeByDomain = async (
  tx: Tx,
  { recipient, domain, below }: { recipient: string; domain: string; below: string | null },
  limit: number,
): Promise<string | null> => {
  const rows = await tx.rows<{ id: string; matches: boolean }>(sql`select id, from_domain = ${domain} as matches
    from notifications where recipient_id = ${recipient} ${below === null ? sql`` : sql`and id < ${below}::bigint`}
    order by id desc limit ${limit}`)
  const ids = rows.filter((row) => row.matches).map((row) => row.id)
  if (ids.length > 0) await remove(tx, sql`n.recipient_id = ${recipient} and n.id = any(${ids}::bigint[])`)
  return rows.length < limit ? null : (rows.at(-1)?.id ?? null)
}

/** Removes one notification of its recipient. Returns 0 if no such notification exists. */
export const dismissOne = (tx: Tx, recipient: string, id: string): Promise<number> =>
  remove(tx, sql`n.recipient_id = ${recipient} and n.id = ${id}`)

/** Removes the notifications of one group of a recipient. `key`: group key as clients know it. */
export const dismissGroupOf = (tx: Tx, recipient: string, key: string): Promise<number> =>
  remove(tx, inGroupOf(recipient, key))

/**
 * Removes the filtered notifications by the given `senders`. The caller has deleted their notification requests, which
 * are therefore not recounted.
 */
export const deleteFiltered = (tx: Tx, recipient: string, senders: readonly string[]): Promise<number> =>
  tx.run(sql`delete from notifications n
    where n.recipient_id = ${recipient} and n.from_id = any(${senders}::bigint[]) and n.filtered`)

/** Deletes all notification requests of a recipient. */
export const deleteRequestsOf = (tx: Tx, recipient: string): Promise<number> =>
  tx.run(sql`delete from requests where recipient_id = ${recipient}`)

/** Removes the earlier notifications that a new one replaces. Notification requests are not recounted. */
export const removeReplaced = (tx: Tx, type: string, source: string, recipients: readonly string[]): Promise<number> =>
  tx.run(sql`delete from notifications
    where recipient_id = any(${recipients}::bigint[]) and type = ${type} and source = ${source}`)

/** Deletes all rows about a permanently deleted account, as recipient and as sender of notifications. */
export const removeAccount = async (tx: Tx, account: string): Promise<void> => {
  await removeMailsOf(tx, account)
  await remove(tx, sql`n.from_id = ${account}`)
  await tx.run(sql`delete from notifications where recipient_id = ${account}`)
  await tx.run(sql`delete from requests where recipient_id = ${account} or from_id = ${account}`)
  await tx.run(sql`delete from permissions where recipient_id = ${account} or from_id = ${account}`)
  await tx.run(sql`delete from group_hours where recipient_id = ${account}`)
  await tx.run(sql`delete from policies where recipient_id = ${account}`)
  await tx.run(sql`delete from merges where recipient_id = ${account} or from_id = ${account}`)
  await tx.run(sql`delete from markers where account_id = ${account}`)
  await tx.run(sql`delete from push_subscriptions where account_id = ${account}`)
  await tx.run(sql`delete from sender_flags where account_id = ${account}`)
}
