/** Reads the notifications of an e-mail, and the read position of the recipient. */
import { type Reader, sql } from '@murmuration/db'
import { type NotificationRow, typeKnown } from '../core/notification.store.js'

/** Id of the last notification that the account has read, from its marker; 0 without a marker. */
export const readUpTo = async (db: Reader, account: string): Promise<string> =>
  (
    await db.row<{ id: string }>(
      sql`select last_read_id as id from markers where account_id = ${account} and timeline = 'notifications'`,
    )
  )?.id ?? '0'

/** Existing notifications of the recipient with these ids that are newer than `read`, newest first. */
export const notificationsByIds = (
  db: Reader,
  recipient: string,
  ids: readonly string[],
  read: string,
): Promise<NotificationRow[]> =>
  db.rows(sql`select n.id, n.recipient_id, n.type, n.from_id, n.status_id, n.group_key, n.filtered, n.staff, n.detail, n.created_at
    from notifications n where n.recipient_id = ${recipient} and n.id = any(${ids}::bigint[]) and n.id > ${read} and not n.filtered
      and ${typeKnown} order by n.id desc`)
