/** Statuses that a filter of the viewer covers (S-050). */
import { notFound } from '@murmuration/contracts/kit'
import { listFilterStatuses } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { filterOf } from '../../store/filter.js'

export const list = handle(listFilterStatuses, async (ctx, viewer, { filter_id }) => {
  const filter = await filterOf(ctx.db, viewer.id, filter_id)
  if (!filter) throw notFound()
  return filter.statuses
})
