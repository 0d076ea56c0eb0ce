/** One keyword of a filter of the viewer, in the older form. */
import { notFound } from '@murmuration/contracts/kit'
import { showV1Filter } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { filterOf } from '../../store/filter.js'
import { keywordOf } from '../../store/filter-keyword.js'
import { v1FilterShown } from '../../views/filter.js'

export const show = handle(showV1Filter, async (ctx, viewer, { id }) => {
  const keyword = await keywordOf(ctx.db, viewer.id, id)
  const filter = keyword && (await filterOf(ctx.db, viewer.id, keyword.filter_id))
  if (!filter) throw notFound()
  return v1FilterShown(filter, keyword)
})
