/** Reactions that request approval of quotes and replies, and revoke it. */

import { writeAsking } from '@murmuration/activitypub/vocabulary/write-activity'
import { quoteRequestUri, writeDeleteOfStamp, writeQuoteRequest } from '@murmuration/activitypub/vocabulary/write-quote'
import { quoteRequested, quoteRevoked, replyRequested } from '@murmuration/contracts/statuses'
import { statusThing } from '../core/compaction.rules.js'
import { sourcesOf } from '../core/local.js'
import { noteSource } from '../core/note.view.js'
import { react } from '../doors.js'
import { inboxOf, recordsOf } from './audience.js'
import { pairOf, sendActivity } from './direct-activity.js'
import { publish } from './publish.js'
import { aboutStatus } from './status.js'

/** Asks the author of a status elsewhere whether somebody here may quote it. */
export const onQuoteRequested = react(quoteRequested, 'on-quote-requested', async (ctx, e) => {
  const pair = await pairOf(ctx, e.author, e.quotedAuthor)
  const { sources, people } = await sourcesOf(ctx, [e.status])
  const note = sources[0] && !sources[0].deleted ? noteSource(sources[0], people, ctx.site) : null
  if (pair === null || note === null) return
  const { our, their } = pair
  await sendActivity(ctx, {
    actorId: our.id,
    seq: e.eventId,
    activity: writeQuoteRequest({
      id: quoteRequestUri(our.uri, e.status),
      note,
      quoted: e.quotedUri,
      quotedAuthor: their.uri,
    }),
    // It brings the status along, whose end goes to all who got it.
    about: statusThing(e.statusUri),
    their,
  })
})

/** Takes back the approval of a quote before everybody who got one of the two statuses. */
export const onQuoteRevoked = react(quoteRevoked, 'on-quote-revoked', async (ctx, e) => {
  if (!e.quotedLocal || e.stamp === null) return
  const people = await recordsOf(ctx, [e.quotedAuthor, e.author])
  const our = people.get(e.quotedAuthor)
  const quoter = people.get(e.author)
  if (!our) return
  const activity = writeDeleteOfStamp({ uri: e.stamp, author: our.uri, status: e.statusUri, quoted: e.quotedUri })
  const inbox = quoter ? inboxOf(quoter) : null
  await publish(ctx, {
    actorId: our.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: 'Delete',
    about: e.stamp,
    inboxes: inbox === null ? [] : [inbox],
    reachedBy: [e.statusUri, e.quotedUri].map(statusThing),
  })
})

/** Shows an answer to the author of what it answers, and to nobody else: with their approval it goes to everybody. */
export const onReplyRequested = react(replyRequested, 'on-reply-requested', async (ctx, e) => {
  const pair = await pairOf(ctx, e.author, e.answered)
  const readAfter = ctx.ids.next()
  const { sources, people } = await sourcesOf(ctx, [e.id])
  const [source] = sources
  // One that is let go already goes to everybody.
  if (pair === null || pair.our.suspended || !source?.held || source.deleted) return
  const note = noteSource(source, people, ctx.site)
  const inbox = inboxOf(pair.their)
  if (note === null || inbox === null) return
  const activity = writeAsking(note)
  await publish(ctx, {
    ...aboutStatus(e, source, activity),
    readAfter,
    inboxes: [inbox],
  })
})
