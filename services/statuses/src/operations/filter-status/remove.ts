/** Takes a status out of a filter of the viewer. */
import { notFound } from '@murmuration/contracts/kit'
import { removeFilterStatus } from '@murmuration/contracts/statuses'
import { changeFilters } from '../../changes/filter.js'
import { handle } from '../../doors.js'
import { deleteFilterStatus } from '../../store/filter-status.js'

export const remove = handle(removeFilterStatus, (ctx, viewer, { id }) =>
  changeFilters(ctx, {
    account: viewer.id,
    async work(tx) {
      if ((await deleteFilterStatus(tx, viewer.id, id)) === 0) throw notFound()
      return {}
    },
  }),
)
