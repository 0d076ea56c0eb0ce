/** Handlers of the statuses in filters. */
import { invalidField, notFound } from '@murmuration/contracts/kit'
import {
  addFilterStatus,
  listFilterStatuses,
  removeFilterStatus,
  showFilterStatus,
} from '@murmuration/contracts/statuses'
import { findStatus } from '../core/visibility/find-status.js'
import { handle } from '../handlers.js'
import { changeFilters } from './change.js'
import { deleteFilterStatus, filterStatusOf, insertFilterStatus } from './status.store.js'
import { filterOf, ownsFilter } from './store.js'

/** Statuses in a filter of the viewer (S-050). */
export const list = handle(listFilterStatuses, async (ctx, viewer, { filter_id }) => {
  const filter = await filterOf(ctx.db, viewer.id, filter_id)
  if (!filter) throw notFound()
  return filter.statuses
})

/** One status in a filter of the viewer (S-054). */
export const show = handle(showFilterStatus, async (ctx, viewer, { id }) => {
  const row = await filterStatusOf(ctx.db, viewer.id, id)
  if (!row) throw notFound()
  return row
})

/** Adds a visible status to a filter of the viewer (S-050). */
export const add = handle(addFilterStatus, async (ctx, viewer, { filter_id, status_id }, request) => {
  if (!(await ownsFilter(ctx.db, viewer.id, filter_id))) throw notFound()
  const found = status_id === undefined ? null : await findStatus(ctx, viewer.id, status_id)
  if (!found?.visible) throw invalidField('Status is invalid')
  const row = { id: ctx.ids.next(), status_id: found.status.id }
  return changeFilters(ctx, {
    account: viewer.id,
    key: request.idempotencyKey,
    async work(tx) {
      if (!(await ownsFilter(tx, viewer.id, filter_id))) throw notFound()
      if (!(await insertFilterStatus(tx, filter_id, row))) throw invalidField('Status has already been taken')
      return row
    },
  })
})

/** Removes a status from a filter of the viewer. */
export const remove = handle(removeFilterStatus, (ctx, viewer, { id }) =>
  changeFilters(ctx, {
    account: viewer.id,
    async work(tx) {
      if ((await deleteFilterStatus(tx, viewer.id, id)) === 0) throw notFound()
      return {}
    },
  }),
)
