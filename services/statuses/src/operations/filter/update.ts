/** Changes a filter and its keywords: what is not named stays, and one wrong part leaves everything as it was (S-114). */
import { notFound } from '@murmuration/contracts/kit'
import { updateFilter } from '@murmuration/contracts/statuses'
import { changeFilters } from '../../changes/filter.js'
import { filterAction, filterContext, filterEnd, filterTitle, keywordChanges } from '../../domain/filter.js'
import { handle } from '../../doors.js'
import { filterOf, ownsFilter, updateFilterRow } from '../../store/filter.js'
import { deleteKeywords, insertKeywords, updateKeywords } from '../../store/filter-keyword.js'
import { filterShown } from '../../views/filter.js'

export const update = handle(updateFilter, async (ctx, viewer, input) => {
  const { id } = input
  // Whether it is there comes before what is wrong with the rest.
  if (!(await ownsFilter(ctx.db, viewer.id, id))) throw notFound()
  const { added, changed, removed } = keywordChanges(input.keywords_attributes ?? [])
  const change = {
    ...(input.title === undefined ? {} : { title: filterTitle(input.title) }),
    ...(input.context === undefined ? {} : { context: filterContext(input.context) }),
    ...(input.filter_action ? { action: filterAction(input.filter_action) } : {}),
    ...(input.expires_in === undefined ? {} : { expires_at: filterEnd(input.expires_in, ctx.clock.now()) }),
  }
  return changeFilters(ctx, {
    account: viewer.id,
    async work(tx) {
      const filter = await filterOf(tx, viewer.id, id)
      if (!filter) throw notFound()
      await updateFilterRow(tx, { ...filter, ...change })
      const held = (await updateKeywords(tx, id, changed)) + (await deleteKeywords(tx, id, removed))
      if (held < changed.length + removed.length) throw notFound()
      await insertKeywords(
        tx,
        id,
        added.map((one) => ({ id: ctx.ids.next(), ...one })),
      )
      const now = await filterOf(tx, viewer.id, id)
      if (!now) throw notFound()
      return filterShown(now)
    },
  })
})
