/** Writes an announcement, published now or when its time comes. */
import { announcementCreate } from '@murmuration/contracts/admin'
import { record } from '../../audit-log/index.js'
import { tellAnnouncements } from '../../changes/tell-everyone.js'
import { checkWording } from '../../domain/announcement.js'
import { handle } from '../../doors.js'
import { type AnnouncementRow, putAnnouncement } from '../../store/announcement.js'
import { storedAnnouncement } from '../../views/announcement.js'

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

export const create = handle(announcementCreate, async (ctx, viewer, input) => {
  const now = ctx.clock.date()
  const [starts_at, ends_at, scheduled] = [input.starts_at, input.ends_at, input.scheduled_at].map(dateOf) as [
    Date | null,
    Date | null,
    Date | null,
  ]
  const wording = { text: input.text, starts_at, ends_at, all_day: input.all_day }
  checkWording(wording)
  const later = scheduled !== null && scheduled > now
  const row: AnnouncementRow = {
    id: ctx.ids.next(),
    ...wording,
    scheduled_at: later ? scheduled : null,
    published_at: later ? null : now,
    created_at: now,
    updated_at: now,
  }
  await ctx.db.tx(async (tx) => {
    await putAnnouncement(tx, row)
    const after = storedAnnouncement(row)
    await record(ctx, tx, viewer, { action: 'create_announcement', targetId: row.id, target: row.text, after })
  })
  if (row.published_at) await tellAnnouncements(ctx, [row])
  return storedAnnouncement(row)
})
