/** Handlers of filters in API version 1, where a filter has one keyword. */

import { fail, notFound } from '@murmuration/contracts/kit'
import {
  createV1Filter,
  listV1Filters,
  removeV1Filter,
  showV1Filter,
  updateV1Filter,
} from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { changeFilters } from './change.js'
import { dropKeyword } from './drop-keyword.js'
import { insertKeywords, keywordOf, updateKeywords } from './keyword.store.js'
import { changedByV1, filterContext, filterEnd, filterKeyword, filterTitle } from './rules.js'
import { filterOf, filtersOf, insertFilter, updateFilterRow } from './store.js'
import { v1FilterShown } from './view.js'

/** All keywords of all filters of the viewer, as version 1 filters (S-110). */
export const list = handle(listV1Filters, async (ctx, viewer) =>
  (await filtersOf(ctx.db, viewer.id)).flatMap((filter) =>
    filter.keywords.map((keyword) => v1FilterShown(filter, keyword)),
  ),
)

/** One keyword of a filter of the viewer, as version 1 filter. */
export const show = handle(showV1Filter, async (ctx, viewer, { id }) => {
  const keyword = await keywordOf(ctx.db, viewer.id, id)
  const filter = keyword && (await filterOf(ctx.db, viewer.id, keyword.filter_id))
  if (!filter) throw notFound()
  return v1FilterShown(filter, keyword)
})

/** Creates a filter with one keyword, which is also its title (S-052). */
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

/**
 * Changes a keyword, and its filter if that has no other keyword (S-052). Otherwise changes of the filter cause 422.
 */
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

/** Deletes a keyword. The filter of the keyword stays. */
export const remove = handle(removeV1Filter, (ctx, viewer, { id }) => dropKeyword(ctx, viewer.id, id))
