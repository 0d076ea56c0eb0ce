/**
 * Reads authors about whom accounts receive no notifications, because of a block or a mute that covers notifications.
 */
import { bigints, type Reader, sql } from '@murmuration/db'

export interface RefusalRow {
  viewer: string
  author: string
}

/** Pairs of a viewer and an author whom the viewer blocks, or mutes with notifications. Duplicate pairs are left out. */
export const refusalsBetween = (
  db: Reader,
  viewers: readonly string[],
  authors: readonly string[],
  at: Date,
): Promise<RefusalRow[]> =>
  db.rows(sql`select account_id as viewer, target_id as author from blocks
      where account_id = any(${bigints(viewers)}) and target_id = any(${bigints(authors)})
    union
    select account_id, target_id from mutes
      where account_id = any(${bigints(viewers)}) and target_id = any(${bigints(authors)})
        and notifications and (expires_at is null or expires_at > ${at})`)
