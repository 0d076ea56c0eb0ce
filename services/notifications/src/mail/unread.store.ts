/** Reads the notifications of an e-mail, and the read position of the recipient. */
import { type Reader, sql } from '@murmuration/db'
import type { NotificationRow } from '../core/notification.store.js'

/** Id of the last read notification, by the marker of the account; 0 without a marker. */
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
  db.rows(sql`select id, recipient_id, type, from_id, status_id, group_key, filtered, staff, detail, created_at
    from notifications where recipient_id = ${recipient} and id = any(${ids}::bigint[]) and id > ${read} and not filtered
    order by id desc`)
