/** Lets a filter of the viewer cover a status that they may see (S-050). */
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { addFilterStatus } from '@murmuration/contracts/statuses'
import { changeFilters } from '../../changes/filter.js'
import { handle } from '../../doors.js'
import { ownsFilter } from '../../store/filter.js'
import { insertFilterStatus } from '../../store/filter-status.js'
import { findStatus } from '../../views/visible.js'

export const add = handle(addFilterStatus, async (ctx, viewer, { filter_id, status_id }, request) => {
  if (!(await ownsFilter(ctx.db, viewer.id, filter_id))) throw notFound()
  const found = status_id === undefined ? null : await findStatus(ctx, viewer.id, status_id)
  if (!found?.visible) throw invalidField('Status is invalid')
  const row = { id: ctx.ids.next(), status_id: found.fact.id }
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
