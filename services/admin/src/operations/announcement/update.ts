/** Changes an announcement, publishes it, or takes it back. */
import { announcementUpdate } from '@murmuration/contracts/admin'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { record } from '../../audit-log/index.js'
import { tellAnnouncements, tellGone } from '../../changes/tell-everyone.js'
import { checkWording } from '../../domain/announcement.js'
import { handle } from '../../doors.js'
import { type AnnouncementRow, lockAnnouncement, putAnnouncement } from '../../store/announcement.js'
import { storedAnnouncement } from '../../views/announcement.js'

const changed = (before: Date | null, given: string | null | undefined): Date | null =>
  given === undefined ? before : given === null ? null : new Date(given)

/** Moves the publication to another time, or publishes at once. */
const schedule = (row: AnnouncementRow, given: string | null, now: Date): void => {
  if (row.published_at !== null) throw invalidField('Scheduled at cannot be set after publication')
  const at = given === null ? null : new Date(given)
  const isLater = at !== null && at > now
  row.scheduled_at = isLater ? at : null
  row.published_at = isLater ? null : now
}

export const update = handle(announcementUpdate, async (ctx, viewer, input) => {
  const now = ctx.clock.date()
  const { before, after } = await ctx.db.tx(async (tx) => {
    const before = await lockAnnouncement(tx, input.id)
    if (!before) throw notFound()
    const after: AnnouncementRow = {
      ...before,
      text: input.text ?? before.text,
      starts_at: changed(before.starts_at, input.starts_at),
      ends_at: changed(before.ends_at, input.ends_at),
      all_day: input.all_day ?? before.all_day,
      updated_at: now,
    }
    if (input.published !== undefined) {
      after.scheduled_at = null
      after.published_at = input.published ? (before.published_at ?? now) : null
    }
    if (input.scheduled_at !== undefined && input.published === undefined) schedule(after, input.scheduled_at, now)
    checkWording(after)
    await putAnnouncement(tx, after)
    await record(ctx, tx, viewer, {
      action: 'update_announcement',
      targetId: input.id,
      target: after.text,
      before: storedAnnouncement(before),
      after: storedAnnouncement(after),
    })
    return { before, after }
  })
  if (after.published_at) await tellAnnouncements(ctx, [after])
  else if (before.published_at) tellGone(ctx, after.id)
  return storedAnnouncement(after)
})
