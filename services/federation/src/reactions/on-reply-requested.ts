/** Shows an answer to the author of what it answers, and to nobody else: with their approval it goes to everybody. */

import { writeAsking } from '@murmuration/activitypub/vocabulary/write-activity'
import { replyRequested } from '@murmuration/contracts/statuses'
import { inboxOf } from '../delivery/audience.js'
import { pairOf } from '../delivery/deed.js'
import { publish } from '../delivery/publish.js'
import { aboutStatus } from '../delivery/status.js'
import { react } from '../doors.js'
import { sourcesOf } from '../views/local.js'
import { noteSource } from '../views/note.js'

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
