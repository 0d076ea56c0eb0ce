/** Takes back the approval of a quote before everybody who got one of the two statuses. */

import { writeDeleteOfStamp } from '@murmuration/activitypub/vocabulary/write-quote'
import { quoteRevoked } from '@murmuration/contracts/statuses'
import { inboxOf, recordsOf } from '../delivery/audience.js'
import { publish } from '../delivery/publish.js'
import { statusThing } from '../domain/compaction.js'
import { react } from '../doors.js'

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
