/** Deletes a filter with everything in it (S-115). */
import { notFound } from '@murmuration/contracts/kit'
import { removeFilter } from '@murmuration/contracts/statuses'
import { changeFilters } from '../../changes/filter.js'
import { handle } from '../../doors.js'
import { deleteFilter } from '../../store/filter.js'

export const remove = handle(removeFilter, (ctx, viewer, { id }) =>
  changeFilters(ctx, {
    account: viewer.id,
    async work(tx) {
      if ((await deleteFilter(tx, viewer.id, id)) === 0) throw notFound()
      return {}
    },
  }),
)
