/** Removes notifications: of undone activities, of blocked senders, and those that the recipient dismissed. */
import { type Sql, sql, type Tx } from '@murmuration/db'
import { inGroupOf } from '../core/group.store.js'
import { recountRequests } from '../core/request.store.js'
import { removeMailsOf } from '../mail/index.js'

interface Gone {
  recipient_id: string
  from_id: string
  filtered: boolean
}

/** Removes what the condition on `n` says, and brings requests in line. Returns how many went. */
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

/** Notifications of one activity for one recipient. */
export const removeFor = (tx: Tx, recipient: string, source: string): Promise<number> =>
  remove(tx, sql`n.source = ${source} and n.recipient_id = ${recipient}`)

/** Everything that shows a status. */
export const removeByStatus = (tx: Tx, status: string): Promise<number> => remove(tx, sql`n.status_id = ${status}`)

/** Everything that the recipient got from this sender. */
export const removeBySender = (tx: Tx, recipient: string, from: string): Promise<number> =>
  remove(tx, sql`n.recipient_id = ${recipient} and n.from_id = ${from} and not n.staff`)

/** Everything that the recipient got from senders of this domain. */
export const removeByDomain = (tx: Tx, recipient: string, domain: string): Promise<number> =>
  remove(tx, sql`n.recipient_id = ${recipient} and n.from_domain = ${domain}`)

/** One notification of its recipient. */
export const dismissOne = (tx: Tx, recipient: string, id: string): Promise<number> =>
  remove(tx, sql`n.recipient_id = ${recipient} and n.id = ${id}`)

/** One group of its recipient. */
export const dismissGroupOf = (tx: Tx, recipient: string, key: string): Promise<number> =>
  remove(tx, inGroupOf(recipient, key))

/** Filtered notifications of these senders, whose requests are deleted already. */
export const dropHeld = (tx: Tx, recipient: string, senders: readonly string[]): Promise<number> =>
  tx.run(sql`delete from notifications n
    where n.recipient_id = ${recipient} and n.from_id = any(${senders}::bigint[]) and n.filtered`)

/** All notifications of a recipient. */
export const clearAll = async (tx: Tx, recipient: string): Promise<void> => {
  await tx.run(sql`delete from notifications where recipient_id = ${recipient}`)
  await tx.run(sql`delete from requests where recipient_id = ${recipient}`)
}

/** An earlier notification that the next one replaces. */
export const removeReplaced = (tx: Tx, type: string, source: string, recipients: readonly string[]): Promise<number> =>
  tx.run(sql`delete from notifications
    where recipient_id = any(${recipients}::bigint[]) and type = ${type} and source = ${source}`)

/** Everything about an account that is gone for good. */
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
