/** Sends the new text of a status of ours to all who got or read the old one and may see it, and to those it names now. */

import { writeUpdateOfNote } from '@murmuration/activitypub/vocabulary/write-activity'
import { statusEdited } from '@murmuration/contracts/statuses'
import { hearersOf } from '../delivery/hearer.js'
import { publish } from '../delivery/publish.js'
import { aboutStatus } from '../delivery/status.js'
import { react } from '../doors.js'
import { sourcesOf } from '../views/local.js'
import { noteSource } from '../views/note.js'

export const onStatusEdited = react(statusEdited, 'on-status-edited', async (ctx, e) => {
  if (!e.local || e.reblogOf !== null) return
  const readAfter = ctx.ids.next()
  const { sources, people } = await sourcesOf(ctx, [e.id])
  const [source] = sources
  if (!source || source.deleted || people.get(source.author)?.suspended !== false) return
  const note = noteSource(source, people, ctx.site)
  if (note === null) return
  // Of two edits close together the later one is told, once.
  const activity = writeUpdateOfNote(note, source.edited_at ?? e.editedAt)
  await publish(ctx, { ...aboutStatus(e, source, activity), readAfter, ...(await hearersOf(ctx, source, people)) })
})
