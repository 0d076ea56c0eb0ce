/** Keywords of a filter of the viewer (S-116). */
import { notFound } from '@murmuration/contracts/kit'
import { listFilterKeywords } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { filterOf } from '../../store/filter.js'

export const list = handle(listFilterKeywords, async (ctx, viewer, { filter_id }) => {
  const filter = await filterOf(ctx.db, viewer.id, filter_id)
  if (!filter) throw notFound()
  return filter.keywords
})
