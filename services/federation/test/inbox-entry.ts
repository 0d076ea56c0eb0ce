/** Reads stored activities of the inbox with their outcomes. */
import { type Reader, sql } from '@murmuration/db'
import type { InboxEntry } from '../src/inbox/inbox.store.js'

/** The stored activity with this id; null if there is none. */
export const inboxEntry = (db: Reader, id: string): Promise<InboxEntry | null> =>
  db.row(sql`select id, type, actor, owner_id, body, outcome, reason from inbox_activities where id = ${id}`)
