/** Servers that know statuses of ours without having been sent them: noted, so that they hear of edits and of the end. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import type { StatusSource } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { forgetEnded, insertReader, type Readers, readersOf, unreadAmong } from '../core/reader.store.js'
import { ensureInboxes } from '../delivery/index.js'
import { inboxOf } from './audience.js'
import { sendMissedDeletes } from './late-recipient.js'
import type { Publishing } from './publish.js'

/** A status of ours, no boost. */
export interface Readable {
  readonly id: string
  readonly uri: string
  /** Account id. */
  readonly author: string
}

/**
 * Notes that the server of this account knows these, and tells it what of them has ended since it read them; what was sent
 * there needs no note. Harmless when repeated.
 */
export const noteKnown = async (
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
  // After it was noted: an end that is told now finds the note, and one that was told before is found here.
  if ((await sendMissedDeletes(ctx, known, { inboxes: [inbox] })) > 0) await forgetEnded(ctx.db, known)
}

/** Readers that receive edits of a status. Edits of statuses that are not public go only to accounts that may see them. */
export const readersOfOpen = (
  ctx: Pick<Context, 'db'>,
  { id, visibility }: Pick<StatusSource, 'id' | 'visibility'>,
): Promise<Readers> | Readers =>
  visibility === 'public' || visibility === 'unlisted' ? readersOf(ctx.db, id) : { inboxes: [], allRecipients: false }
