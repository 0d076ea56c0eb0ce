/** Sends the numbers of a poll of ours to all who got or read it, and to the servers of those who voted. */
import { tellPollJob } from '@murmuration/contracts/federation'
import { publish } from '../delivery/publish.js'
import { readersOfOpen } from '../delivery/reader.js'
import { statusThing } from '../delivery/status.js'
import { work } from '../doors.js'
import { sourcesOf } from '../views/local.js'
import { noteSource } from '../views/note.js'
import { writeUpdateOfNote } from '../vocabulary/write-activity.js'

export const tellPoll = work(tellPollJob, async (ctx, { status, seq, at, inboxes }) => {
  const { sources, people } = await sourcesOf(ctx, [status])
  const [source] = sources
  if (!source || source.deleted || source.poll === null || people.get(source.author)?.suspended !== false) return
  // Nothing that others may see has changed before the end.
  if (source.poll.hidden) return
  const note = noteSource(source, people, ctx.site)
  if (note === null) return
  const activity = writeUpdateOfNote(note, at)
  await publish(ctx, {
    actorId: source.author,
    seq,
    activity,
    uri: activity.id,
    kind: activity.type,
    about: statusThing(source.uri),
    inboxes: [...inboxes, ...(await readersOfOpen(ctx, source)).inboxes],
    receivers: 'reached',
  })
})
