/** Sends the numbers of a poll of ours to all who got or read it and may see it, and to the servers of those who voted. */

import { writeUpdateOfNote } from '@murmuration/activitypub/vocabulary/write-activity'
import { tellPollJob } from '@murmuration/contracts/federation'
import { hearersOf } from '../delivery/hearer.js'
import { publish } from '../delivery/publish.js'
import { statusThing } from '../domain/compaction.js'
import { work } from '../doors.js'
import { notePollChange } from '../store/poll-change.js'
import { sourcesOf } from '../views/local.js'
import { noteSource } from '../views/note.js'

const DAY_MS = 86_400_000

export const tellPoll = work(tellPollJob, async (ctx, { status, seq, at, inboxes }) => {
  const readAfter = ctx.ids.next()
  const { sources, people } = await sourcesOf(ctx, [status])
  const [source] = sources
  if (!source || source.deleted || source.poll === null || people.get(source.author)?.suspended !== false) return
  if (source.poll.hidden) {
    // Nothing that others may see has changed before the end, of which those who voted hear as well.
    const dueAt = new Date(ctx.clock.now() + DAY_MS)
    await notePollChange(ctx.db, { statusId: status, seq, changedAt: new Date(at), dueAt, inboxes })
    return
  }
  const note = noteSource(source, people, ctx.site)
  if (note === null) return
  const activity = writeUpdateOfNote(note, at)
  const hearers = await hearersOf(ctx, source, people)
  await publish(ctx, {
    ...hearers,
    readAfter,
    actorId: source.author,
    seq,
    activity,
    uri: activity.id,
    kind: activity.type,
    about: statusThing(source.uri),
    // Who voted and may see it no more learns no numbers.
    inboxes: hearers.receivers === 'reached' ? [...inboxes, ...hearers.inboxes] : hearers.inboxes,
  })
})
