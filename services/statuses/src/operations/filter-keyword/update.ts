/** Changes a keyword of a filter of the viewer; what is not named stays. */
import { notFound } from '@murmuration/contracts/kit'
import { updateFilterKeyword } from '@murmuration/contracts/statuses'
import { changeFilters } from '../../changes/filter.js'
import { filterKeyword } from '../../domain/filter.js'
import { handle } from '../../doors.js'
import { keywordOf, updateKeywords } from '../../store/filter-keyword.js'

export const update = handle(updateFilterKeyword, async (ctx, viewer, { id, keyword, whole_word }) => {
  if (!(await keywordOf(ctx.db, viewer.id, id))) throw notFound()
  const change = {
    id,
    ...(keyword === undefined ? {} : { keyword: filterKeyword(keyword) }),
    ...(whole_word === undefined ? {} : { whole_word }),
  }
  return changeFilters(ctx, {
    account: viewer.id,
    async work(tx) {
      const row = await keywordOf(tx, viewer.id, id)
      if (!row) throw notFound()
      await updateKeywords(tx, row.filter_id, [change])
      return { id, keyword: change.keyword ?? row.keyword, whole_word: change.whole_word ?? row.whole_word }
    },
  })
})
