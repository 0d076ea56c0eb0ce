/** One filter of the viewer; those of others are not found (S-113). */
import { notFound } from '@murmuration/contracts/kit'
import { showFilter } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { filterOf } from '../../store/filter.js'
import { filterShown } from '../../views/filter.js'

export const show = handle(showFilter, async (ctx, viewer, { id }) => {
  const filter = await filterOf(ctx.db, viewer.id, id)
  if (!filter) throw notFound()
  return filterShown(filter)
})
