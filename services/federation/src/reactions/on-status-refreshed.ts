/** Sends a status of ours again that says the same with another approval or policy, to all who got or read it and may see it. */

import { writeUpdateOfNote } from '@murmuration/activitypub/vocabulary/write-activity'
import { statusRefreshed } from '@murmuration/contracts/statuses'
import { hearersOf } from '../delivery/hearer.js'
import { publish } from '../delivery/publish.js'
import { aboutStatus } from '../delivery/status.js'
import { react } from '../doors.js'
import { sourcesOf } from '../views/local.js'
import { noteSource } from '../views/note.js'

export const onStatusRefreshed = react(statusRefreshed, 'on-status-refreshed', async (ctx, e) => {
  const readAfter = ctx.ids.next()
  const { sources, people } = await sourcesOf(ctx, [e.id])
  const [source] = sources
  if (!source?.local || source.deleted || people.get(source.author)?.suspended !== false) return
  const note = noteSource(source, people, ctx.site)
  if (note === null) return
  const activity = writeUpdateOfNote(note, new Date(e.at).toISOString())
  await publish(ctx, { ...aboutStatus(e, source, activity), readAfter, ...(await hearersOf(ctx, source, people)) })
})
