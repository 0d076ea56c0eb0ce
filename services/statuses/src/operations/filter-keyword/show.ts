/** One keyword of a filter of the viewer (S-118). */
import { notFound } from '@murmuration/contracts/kit'
import { showFilterKeyword } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { keywordOf } from '../../store/filter-keyword.js'

export const show = handle(showFilterKeyword, async (ctx, viewer, { id }) => {
  const row = await keywordOf(ctx.db, viewer.id, id)
  if (!row) throw notFound()
  return { id: row.id, keyword: row.keyword, whole_word: row.whole_word }
})
