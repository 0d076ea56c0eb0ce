/** Takes a status or boost of ours back from all who got it. */

import {
  bare,
  type OutgoingActivity,
  writeDeleteOfNote,
  writeUndo,
} from '@murmuration/activitypub/vocabulary/write-activity'
import { statusDeleted } from '@murmuration/contracts/statuses'
import { recordsOf } from '../delivery/audience.js'
import { tellEnded } from '../delivery/late-reader.js'
import { publish } from '../delivery/publish.js'
import { statusThing } from '../domain/compaction.js'
import { react } from '../doors.js'
import { activityText, isFarewellSaid, wasTold } from '../store/activity.js'
import { forgetReaders, readersOf } from '../store/reader.js'

export const onStatusDeleted = react(statusDeleted, 'on-status-deleted', async (ctx, e) => {
  if (!e.local) return
  const people = await recordsOf(ctx, [e.author])
  const author = people.get(e.author)
  // Everything of an account that is gone goes with it: one Delete says it all (F054).
  if (!author || (await isFarewellSaid(ctx.db, author.uri))) {
    await forgetReaders(ctx.db, e.id)
    return
  }
  const about = statusThing(e.uri)
  const common = { actorId: e.author, seq: e.eventId, about }
  if (e.reblogOf !== null) {
    const text = await activityText(ctx.db, `${about}/activity`)
    // A boost that was never told is only remembered, for when its telling comes late.
    const activity = text === null ? null : writeUndo(bare(JSON.parse(text) as OutgoingActivity))
    await publish(ctx, { ...common, activity, uri: `${about}/activity#undo`, kind: 'Undo', receivers: 'reached' })
    return
  }
  const readers = await readersOf(ctx.db, e.id)
  // What was never told and never read is only remembered, for when its telling comes late.
  const isKnown = readers.inboxes.length > 0 || readers.everybody || (await wasTold(ctx.db, about))
  const activity = writeDeleteOfNote({ uri: about, actor: author.uri })
  const isNew = await publish(ctx, {
    ...common,
    activity: isKnown ? activity : null,
    uri: activity.id,
    kind: 'Delete',
    inboxes: readers.inboxes,
    receivers: 'reached',
    alsoAcquainted: readers.everybody,
  })
  // Who was noted while it was told: who is noted from now on finds that it was.
  const late = await readersOf(ctx.db, e.id)
  const missed = isNew ? late.inboxes.filter((inbox) => !readers.inboxes.includes(inbox)) : late.inboxes
  if (missed.length > 0 || late.everybody)
    await tellEnded(ctx, [{ uri: about, author: e.author }], { inboxes: missed, acquainted: late.everybody })
  await forgetReaders(ctx.db, e.id)
})
