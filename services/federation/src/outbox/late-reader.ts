/** Tells ends to servers that turn out to have known what ended, as everybody else was told. */

import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import { writeDeleteOfNote } from '@murmuration/activitypub/vocabulary/write-activity'
import { deliverJob } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { lockAbout } from '../core/activity.store.js'
import { type End, endsOf, giveBody } from '../core/end.store.js'
import { ensureInboxes, sendTo, sendToRecipients } from '../delivery/index.js'
import { recordsOf } from './audience.js'
import { bodyOf } from './body.js'
import type { Publishing } from './publish.js'

type Telling = Publishing & Pick<Context, 'call'>

export interface LateReaders {
  inboxes: readonly string[]
  /** And all who ever got something of the author. False when absent. */
  acquainted?: boolean
}

type Authors = Awaited<ReturnType<typeof recordsOf>>

/** Null when its author is not there any more to say it. */
const textOf = async (ctx: Telling, end: End, authors: Authors): Promise<string | null> => {
  if (end.body !== null) return end.body
  const author = authors.get(end.actor_id)
  if (!author) return null
  return bodyOf(ctx, { actorId: end.actor_id, activity: writeDeleteOfNote({ uri: end.about, actor: author.uri }) })
}

const tellEnd = async (
  ctx: Telling,
  { end, authors }: { end: End; authors: Authors },
  { inboxes, acquainted }: LateReaders,
): Promise<void> => {
  const body = await textOf(ctx, end, authors)
  if (body === null) return
  await ctx.db.tx(async (tx) => {
    await lockAbout(tx, end.about)
    await giveBody(tx, end.id, body)
    const sending = { activity: end.id, actorId: end.actor_id, seq: end.seq, now: ctx.clock.date(), bypass: false }
    const named = await sendTo(tx, sending, inboxes)
    const others = acquainted ? await sendToRecipients(tx, sending) : 0
    if (named + others > 0) await ctx.queue(tx, deliverJob, { activity: end.id, part: 0, parts: 1 })
  })
}

/**
 * Tells these readers what of the statuses has ended, with its author or alone; each once, however often they are named.
 * @returns how many ends there are
 */
export const sendMissedDeletes = async (
  ctx: Telling,
  statuses: readonly { uri: string; author: string }[],
  to: LateReaders,
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
  await Promise.all(ends.map((end) => tellEnd(ctx, { end, authors }, to)))
  return ends.length
}
