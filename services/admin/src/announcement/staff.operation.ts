/** Handlers of announcements for staff. */

import {
  createAnnouncement,
  listAllAnnouncements,
  removeAnnouncement as removeAnnouncementOperation,
  updateAnnouncement,
} from '@murmuration/contracts/admin'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { readTime } from '@murmuration/text'
import { record } from '../core/audit-log/record.js'
import { handle } from '../handlers.js'
import { sendAnnouncements, sendRemoval } from './notify.js'
import { checkWording } from './rules.js'
import { storedAnnouncement } from './show.js'
import {
  type AnnouncementRow,
  everyAnnouncement,
  lockAnnouncement,
  putAnnouncement,
  removeAnnouncement,
} from './store.js'

/** Lists all announcements for staff. */
export const listAll = handle(listAllAnnouncements, async (ctx) => ({
  announcements: (await everyAnnouncement(ctx.db)).map(storedAnnouncement),
}))

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(readTime(text)))

/** Creates an announcement, published immediately or at its scheduled time. */
export const create = handle(createAnnouncement, async (ctx, viewer, input) => {
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
  if (row.published_at) await sendAnnouncements(ctx, [row])
  return storedAnnouncement(row)
})

/**
 * New value of an optional time of an announcement: unchanged if the request omits it, null if the request sets it to
 * null.
 */
const changed = (before: Date | null, given: string | null | undefined): Date | null =>
  given === undefined ? before : given === null ? null : new Date(readTime(given))

/** Changes the time of publication. A null or past time publishes the announcement immediately. */
const schedule = (row: AnnouncementRow, given: string | null, now: Date): void => {
  if (row.published_at !== null) throw invalidField('Scheduled at cannot be set after publication')
  const at = given === null ? null : new Date(readTime(given))
  const isLater = at !== null && at > now
  row.scheduled_at = isLater ? at : null
  row.published_at = isLater ? null : now
}

/** Changes, publishes or unpublishes an announcement. */
export const update = handle(updateAnnouncement, async (ctx, viewer, input) => {
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
  if (after.published_at) await sendAnnouncements(ctx, [after])
  else if (before.published_at) sendRemoval(ctx, after.id)
  return storedAnnouncement(after)
})

/** Deletes an announcement. */
export const remove = handle(removeAnnouncementOperation, async (ctx, viewer, { id }) => {
  const gone = await ctx.db.tx(async (tx) => {
    const gone = await lockAnnouncement(tx, id)
    if (!gone) throw notFound()
    await removeAnnouncement(tx, id, ctx.clock.date())
    const before = storedAnnouncement(gone)
    await record(ctx, tx, viewer, { action: 'destroy_announcement', targetId: id, target: gone.text, before })
    return gone
  })
  if (gone.published_at) sendRemoval(ctx, id)
  return {}
})
