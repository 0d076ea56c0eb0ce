/** Adds deliveries of stored Deletes to servers that became known as readers after the Delete was published. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { writeDeleteOfNote } from '@murmuration/activitypub/vocabulary/write-activity'
import { deliverJob } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { type End, endsOf, setBody } from '../core/activity/delete.store.js'
import { lockAbout } from '../core/activity/store.js'
import { ensureInboxes, sendTo, sendToRecipients } from '../delivery/index.js'
import { recordsOf } from './audience.js'
import { bodyOf } from './body.js'
import type { Publishing } from './publish.js'

type SendContext = Publishing & Pick<Context, 'call'>

export interface LateRecipients {
  inboxes: readonly string[]
  /** True: also all delivery recipients of the author. An absent `toAllRecipients` means false. */
  toAllRecipients?: boolean
}

type Authors = Awaited<ReturnType<typeof recordsOf>>

/**
 * JSON text of a Delete. The text is written now if the Delete is stored without it. Returns null if the author no
 * longer exists.
 */
const textOf = async (ctx: SendContext, end: End, authors: Authors): Promise<string | null> => {
  if (end.body !== null) return end.body
  const author = authors.get(end.actor_id)
  if (!author) return null
  return bodyOf(ctx, { actorId: end.actor_id, activity: writeDeleteOfNote({ uri: end.about, actor: author.uri }) })
}

const sendEnd = async (
  ctx: SendContext,
  { end, authors }: { end: End; authors: Authors },
  { inboxes, toAllRecipients }: LateRecipients,
): Promise<void> => {
  const body = await textOf(ctx, end, authors)
  if (body === null) return
  await ctx.db.tx(async (tx) => {
    await lockAbout(tx, end.about)
    await setBody(tx, end.id, body)
    const sending = { activity: end.id, actorId: end.actor_id, seq: end.seq, now: ctx.clock.date(), bypass: false }
    const named = await sendTo(tx, sending, inboxes)
    const others = toAllRecipients ? await sendToRecipients(tx, sending) : 0
    if (named + others > 0) await ctx.queue(tx, deliverJob, { activity: end.id, part: 0, parts: 1 })
  })
}

/**
 * Adds deliveries of the stored Deletes of these statuses, and of their authors, to the inboxes of `to`, and queues the
 * deliveries. Each inbox gets each Delete once. Returns the number of Deletes.
 */
export const sendMissedDeletes = async (
  ctx: SendContext,
  statuses: readonly { uri: string; author: string }[],
  to: LateRecipients,
): Promise<number> => {
  const ends = await endsOf(ctx.db, statuses)
  if (ends.length === 0) return 0
  const urls = to.inboxes.toSorted().flatMap((url) => {
    const host = hostOf(url)
    return host === null ? [] : [{ url, host }]
  })
  await ensureInboxes(ctx.db, urls, () => ctx.ids.next())
  const unwritten = ends.filter((end) => end.body === null).map((end) => end.actor_id)
  const authors = await recordsOf(ctx, unwritten)
  await Promise.all(ends.map((end) => sendEnd(ctx, { end, authors }, to)))
  return ends.length
}
