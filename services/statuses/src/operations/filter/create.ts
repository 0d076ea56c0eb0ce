/** Makes a filter with its keywords: all of it or nothing (S-112). */
import { createFilter } from '@murmuration/contracts/statuses'
import { changeFilters } from '../../changes/filter.js'
import { filterAction, filterContext, filterEnd, filterTitle, keywordChanges } from '../../domain/filter.js'
import { handle } from '../../doors.js'
import { insertFilter } from '../../store/filter.js'
import { insertKeywords } from '../../store/filter-keyword.js'
import { filterShown } from '../../views/filter.js'

export const create = handle(createFilter, async (ctx, viewer, input, request) => {
  const row = {
    id: ctx.ids.next(),
    title: filterTitle(input.title),
    context: filterContext(input.context),
    action: filterAction(input.filter_action),
    expires_at: filterEnd(input.expires_in ?? null, ctx.clock.now()),
  }
  const { added } = keywordChanges((input.keywords_attributes ?? []).map((one) => ({ ...one, id: null })))
  const keywords = added.map((one) => ({ id: ctx.ids.next(), ...one }))
  return changeFilters(ctx, {
    account: viewer.id,
    key: request.idempotencyKey,
    async work(tx) {
      await insertFilter(tx, viewer.id, row)
      await insertKeywords(tx, row.id, keywords)
      return filterShown({ ...row, keywords, statuses: [] })
    },
  })
})
