/** Changes a keyword in the older form, and its filter too when that holds no other keyword (S-052). */
import { fail, notFound } from '@murmuration/contracts/kit'
import { updateV1Filter } from '@murmuration/contracts/statuses'
import { changeFilters } from '../../changes/filter.js'
import { changedByV1, filterContext, filterEnd, filterKeyword, filterTitle } from '../../domain/filter.js'
import { handle } from '../../doors.js'
import { filterOf, updateFilterRow } from '../../store/filter.js'
import { keywordOf, updateKeywords } from '../../store/filter-keyword.js'
import { v1FilterShown } from '../../views/filter.js'

export const update = handle(updateV1Filter, async (ctx, viewer, input) => {
  const { id, phrase, whole_word, irreversible } = input
  if (!(await keywordOf(ctx.db, viewer.id, id))) throw notFound()
  const keyword = {
    ...(phrase === undefined ? {} : { keyword: filterKeyword(phrase) }),
    ...(whole_word === undefined ? {} : { whole_word }),
  }
  const change = {
    ...(input.context === undefined ? {} : { context: filterContext(input.context) }),
    ...(input.expires_in === undefined ? {} : { expires_at: filterEnd(input.expires_in, ctx.clock.now()) }),
    ...(irreversible === undefined ? {} : { irreversible }),
  }
  return changeFilters(ctx, {
    account: viewer.id,
    async work(tx) {
      const row = await keywordOf(tx, viewer.id, id)
      const filter = row && (await filterOf(tx, viewer.id, row.filter_id))
      if (!filter) throw notFound()
      const alone = filter.keywords.length === 1
      const changed = changedByV1(filter, change)
      if (changed && !alone)
        throw fail(
          'unprocessable',
          'These parameters cannot be changed from this application because they apply to more than one filter keyword. Use a more recent application or the web interface.',
        )
      const now = { ...filter, ...changed, ...(alone && phrase !== undefined ? { title: filterTitle(phrase) } : {}) }
      await updateFilterRow(tx, now)
      await updateKeywords(tx, filter.id, [{ id, ...keyword }])
      return v1FilterShown(now, { ...row, ...keyword })
    },
  })
})
