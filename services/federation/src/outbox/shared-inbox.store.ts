/** Shared inboxes of servers, learned from recipients of direct activities. */
import { type Reader, sql } from '@murmuration/db'

/** Notes which inbox of their server is for many; both must be known already. */
export const noteShared = (db: Reader, own: string, shared: string): Promise<number> =>
  db.run(sql`update inboxes own set shared_id = shared.id from inboxes shared
    where own.url = ${own} and shared.url = ${shared} and own.shared_id is distinct from shared.id`)
