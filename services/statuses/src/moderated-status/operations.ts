/** Handlers with which admin finds, marks and deletes statuses of one author. */
import {
  deleteModeratedStatuses,
  findModeratedStatuses,
  markStatusesSensitive,
  statusInvalidation,
} from '@murmuration/contracts/statuses'
import { mapLimited } from '@murmuration/flow'
import { rowsOf } from '../core/status/store.js'
import { handle } from '../handlers.js'
import { indexStatuses } from '../search/index.js'
import { deleteForStaff } from './delete.js'
import { markOne } from './mark.js'
import { originalsOf } from './store.js'

const AT_ONCE = 4

export const find = handle(findModeratedStatuses, async (ctx, _viewer, { author, ids }) => ({
  statuses: await originalsOf(ctx.db, author, ids),
}))

export const mark = handle(markStatusesSensitive, async (ctx, _viewer, { author, ids, mark, sensitive }) => {
  const own = (await originalsOf(ctx.db, author, ids)).map((one) => one.id)
  const rows = [...(await rowsOf(ctx.db, own)).values()]
  const outcomes = await mapLimited(rows, AT_ONCE, async (row) => {
    const isChanged = await markOne(ctx, row, { author, mark, sensitive })
    return isChanged ? [row] : []
  })
  const changed = outcomes.flat()
  const changedIds = changed.map((row) => row.id)
  if (changedIds.length > 0) ctx.invalidations.send(statusInvalidation, changedIds)
  // A remote status is not edited, so no event updates the search index.
  const remote = changed.filter((row) => !row.local).map((row) => row.id)
  await indexStatuses(ctx, remote)
  return { changed: changedIds }
})

export const remove = handle(deleteModeratedStatuses, async (ctx, _viewer, { author, ids }) => ({
  deleted: await deleteForStaff(ctx, author, ids),
}))
