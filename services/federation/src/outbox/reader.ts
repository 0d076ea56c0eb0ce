/** Stores readers, which are servers that have a status without having received it, so that they receive Updates and the Delete. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { NoteData } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { deleteEndedReaders, insertReader, type Readers, readersOf, unreadAmong } from '../core/host/reader.store.js'
import { ensureInboxes } from '../delivery/index.js'
import { inboxOf } from './audience.js'
import { sendMissedDeletes } from './late-recipient.js'
import type { Publishing } from './publish.js'

/** A local status, not a reblog. */
export interface Readable {
  readonly id: string
  readonly uri: string
  /** Account id. */
  readonly author: string
}

/**
 * Stores the server of this account as reader of these statuses, and sends the server the Deletes of deleted statuses.
 *
 * Statuses that the server received are left out. A repeated call has no effect.
 */
export const recordReaders = async (
  ctx: Publishing & Pick<Context, 'call'>,
  account: AccountRecord,
  statuses: readonly Readable[],
): Promise<void> => {
  const inbox = inboxOf(account)
  const host = inbox && hostOf(inbox)
  if (!inbox || !host || statuses.length === 0) return
  const unread = await unreadAmong(ctx.db, statuses, inbox)
  if (unread.size === 0) return
  await ensureInboxes(ctx.db, [{ url: inbox, host }], () => ctx.ids.next())
  const known = statuses.filter((it) => unread.has(it.id))
  await insertReader(ctx.db, { inbox, statuses: known })
  // The reader is stored before stored Deletes are searched, so that a concurrent deletion either finds the reader or
  // is found here.
  if ((await sendMissedDeletes(ctx, known, { inboxes: [inbox] })) > 0) await deleteEndedReaders(ctx.db, known)
}

/**
 * Readers that receive the Update of a status: all readers of a public or unlisted status, and none of any other
 * status.
 */
export const readersOfOpen = (
  ctx: Pick<Context, 'db'>,
  { id, visibility }: Pick<NoteData, 'id' | 'visibility'>,
): Promise<Readers> | Readers =>
  visibility === 'public' || visibility === 'unlisted' ? readersOf(ctx.db, id) : { inboxes: [], allRecipients: false }
