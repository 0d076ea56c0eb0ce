/** Asks the author of a status elsewhere whether somebody here may quote it. */

import { quoteRequestUri, writeQuoteRequest } from '@murmuration/activitypub/vocabulary/write-quote'
import { quoteRequested } from '@murmuration/contracts/statuses'
import { pairOf, tellDeed } from '../delivery/deed.js'
import { statusThing } from '../domain/compaction.js'
import { react } from '../doors.js'
import { sourcesOf } from '../views/local.js'
import { noteSource } from '../views/note.js'

export const onQuoteRequested = react(quoteRequested, 'on-quote-requested', async (ctx, e) => {
  const pair = await pairOf(ctx, e.author, e.quotedAuthor)
  const { sources, people } = await sourcesOf(ctx, [e.status])
  const note = sources[0] && !sources[0].deleted ? noteSource(sources[0], people, ctx.site) : null
  if (pair === null || note === null) return
  const { our, their } = pair
  await tellDeed(ctx, {
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
