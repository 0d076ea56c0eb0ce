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

/** Removes all notifications that one activity caused. */
export const removeBySource = (tx: Tx, source: string): Promise<number> => remove(tx, sql`n.source = ${source}`)

/** Removes the notifications of one type about one activity that were created until `at`. */
export const removeUntil = (tx: Tx, type: NotificationType, source: string, at: Date): Promise<number> =>
  remove(tx, sql`n.type = ${type} and n.source = ${source} and n.created_at <= ${at}`)

/** Removes the notifications about one activity for one recipient. */
export const removeFor = (tx: Tx, recipient: string, source: string): Promise<number> =>
  remove(tx, sql`n.source = ${source} and n.recipient_id = ${recipient}`)

/** Removes all notifications that show a status. */
export const removeByStatus = (tx: Tx, status: string): Promise<number> => remove(tx, sql`n.status_id = ${status}`)

/** Removes the notifications by a sender for one recipient, except mentions by staff. */
export const removeBySender = (tx: Tx, recipient: string, from: string): Promise<number> =>
  remove(tx, sql`n.recipient_id = ${recipient} and n.from_id = ${from} and not n.staff`)

/** Removes the notifications by all senders on a domain for one recipient, including mentions by staff. */
export const removeByDomain = (tx: Tx, recipient: string, domain: string): Promise<number> =>
  remove(tx, sql`n.recipient_id = ${recipient} and n.from_domain = ${domain}`)

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

/** Removes all notifications and requests of a recipient. */
export const clearAll = async (tx: Tx, recipient: string): Promise<void> => {
  await tx.run(sql`delete from notifications where recipient_id = ${recipient}`)
  await tx.run(sql`delete from requests where recipient_id = ${recipient}`)
}

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
