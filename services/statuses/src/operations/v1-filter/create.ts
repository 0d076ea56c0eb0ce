/** Makes a filter of one keyword, which names it too (S-052). */
import { createV1Filter } from '@murmuration/contracts/statuses'
import { changeFilters } from '../../changes/filter.js'
import { filterContext, filterEnd, filterKeyword, filterTitle } from '../../domain/filter.js'
import { handle } from '../../doors.js'
import { insertFilter } from '../../store/filter.js'
import { insertKeywords } from '../../store/filter-keyword.js'
import { v1FilterShown } from '../../views/filter.js'

export const create = handle(createV1Filter, async (ctx, viewer, input, request) => {
  const row = {
    id: ctx.ids.next(),
    title: filterTitle(input.phrase),
    context: filterContext(input.context),
    action: input.irreversible ? ('hide' as const) : ('warn' as const),
    expires_at: filterEnd(input.expires_in ?? null, ctx.clock.now()),
  }
  const keyword = { id: ctx.ids.next(), keyword: filterKeyword(input.phrase), whole_word: input.whole_word ?? true }
  return changeFilters(ctx, {
    account: viewer.id,
    key: request.idempotencyKey,
    async work(tx) {
      await insertFilter(tx, viewer.id, row)
      await insertKeywords(tx, row.id, [keyword])
      return v1FilterShown(row, keyword)
    },
  })
})
