/** Handlers of scheduled statuses. */
import { invalidField, notFound, pageReply } from '@murmuration/contracts/kit'
import { listScheduled, moveScheduled, removeScheduled, showScheduled } from '@murmuration/contracts/statuses'
import { endsOf } from '@murmuration/db'
import { releaseMedia, returnMedia } from '../core/status/media.js'
import { handle } from '../handlers.js'
import { scheduledText, scheduledTexts } from './present.js'
import { checkScheduled, readSchedule } from './rules.js'
import { countScheduled, deleteScheduled, moveTo, scheduledOf, scheduledPage } from './store.js'

/** Scheduled statuses of the viewer. */
export const list = handle(listScheduled, async (ctx, viewer, page) => {
  const rows = await scheduledPage(ctx.db, viewer.id, page)
  const ends = endsOf(
    rows.map((row) => row.id),
    page,
  )
  return pageReply(listScheduled.output, await scheduledTexts(ctx, rows), ends)
})

/** One scheduled status of the viewer. */
export const show = handle(showScheduled, async (ctx, viewer, { id }) => {
  const row = await scheduledOf(ctx.db, viewer.id, id)
  if (!row) throw notFound()
  return scheduledText(ctx, row)
})

/** Changes the time of a scheduled status. */
export const move = handle(moveScheduled, async (ctx, viewer, { id, scheduled_at }) => {
  const row = await scheduledOf(ctx.db, viewer.id, id)
  if (!row) throw notFound()
  const at = scheduled_at ? readSchedule(scheduled_at, ctx.clock.now()) : row.scheduled_at
  if (at === null) throw invalidField('Scheduled at date must be in the future')
  const attempts = await ctx.db.tx(async (tx) => {
    checkScheduled(await countScheduled(tx, viewer.id, at, id))
    return moveTo(tx, id, at)
  })
  // The scheduled status was published during the request.
  if (attempts === null) throw notFound()
  await returnMedia(ctx, attempts, id, row.media_ids)
  return scheduledText(ctx, { ...row, scheduled_at: at, failure: null })
})

/** Deletes a scheduled status. */
export const remove = handle(removeScheduled, async (ctx, viewer, { id }) => {
  const row = await scheduledOf(ctx.db, viewer.id, id)
  const attempts = row && (await ctx.db.tx((tx) => deleteScheduled(tx, id)))
  if (row === null || attempts === null) throw notFound()
  await releaseMedia(ctx, [id, ...attempts], row.media_ids)
  return {}
})
