/** Stores shared inboxes of servers, which become known from the recipients of direct activities. */
import { type Reader, sql } from '@murmuration/db'

/**
 * Stores the shared inbox (`shared`) of an inbox (`own`). Both inboxes must have been stored before. Returns the number
 * of changed rows.
 */
export const recordSharedInbox = (db: Reader, own: string, shared: string): Promise<number> =>
  db.run(sql`update inboxes own set shared_id = shared.id from inboxes shared
    where own.url = ${own} and shared.url = ${shared} and own.shared_id is distinct from shared.id`)
