/** One status that a filter of the viewer covers (S-054). */
import { notFound } from '@murmuration/contracts/kit'
import { showFilterStatus } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { filterStatusOf } from '../../store/filter-status.js'

export const show = handle(showFilterStatus, async (ctx, viewer, { id }) => {
  const row = await filterStatusOf(ctx.db, viewer.id, id)
  if (!row) throw notFound()
  return row
})
