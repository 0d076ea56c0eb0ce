/** Gives a waiting status another time. */
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { moveScheduled } from '@murmuration/contracts/statuses'
import { checkScheduled, readSchedule } from '../../domain/schedule.js'
import { handle } from '../../doors.js'
import { countScheduled, moveTo, scheduledOf } from '../../store/scheduled.js'
import { scheduledText } from '../../views/scheduled.js'

export const move = handle(moveScheduled, async (ctx, viewer, { id, scheduled_at }) => {
  const row = await scheduledOf(ctx.db, viewer.id, id)
  if (!row) throw notFound()
  const at = scheduled_at ? readSchedule(scheduled_at, ctx.clock.now()) : row.scheduled_at
  if (at === null) throw invalidField('Scheduled at date must be in the future')
  const moved = await ctx.db.tx(async (tx) => {
    checkScheduled(await countScheduled(tx, viewer.id, at, id))
    return moveTo(tx, id, at)
  })
  // Published while it was moved.
  if (moved === 0) throw notFound()
  return scheduledText(ctx, { ...row, scheduled_at: at, failure: null })
})
