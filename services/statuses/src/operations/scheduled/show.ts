/** One status of the viewer that waits for its time. */
import { notFound } from '@murmuration/contracts/kit'
import { showScheduled } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { scheduledOf } from '../../store/scheduled.js'
import { scheduledText } from '../../views/scheduled.js'

export const show = handle(showScheduled, async (ctx, viewer, { id }) => {
  const row = await scheduledOf(ctx.db, viewer.id, id)
  if (!row) throw notFound()
  return scheduledText(ctx, row)
})
