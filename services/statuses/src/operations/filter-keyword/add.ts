/** Adds a keyword to a filter of the viewer (S-117). */
import { notFound } from '@murmuration/contracts/kit'
import { addFilterKeyword } from '@murmuration/contracts/statuses'
import { changeFilters } from '../../changes/filter.js'
import { filterKeyword } from '../../domain/filter.js'
import { handle } from '../../doors.js'
import { ownsFilter } from '../../store/filter.js'
import { insertKeywords } from '../../store/filter-keyword.js'

export const add = handle(addFilterKeyword, async (ctx, viewer, input, request) => {
  const { filter_id } = input
  if (!(await ownsFilter(ctx.db, viewer.id, filter_id))) throw notFound()
  const row = { id: ctx.ids.next(), keyword: filterKeyword(input.keyword), whole_word: input.whole_word ?? true }
  return changeFilters(ctx, {
    account: viewer.id,
    key: request.idempotencyKey,
    async work(tx) {
      if (!(await ownsFilter(tx, viewer.id, filter_id))) throw notFound()
      await insertKeywords(tx, filter_id, [row])
      return row
    },
  })
})
