/** Handlers of filters. */

import { notFound } from '@murmuration/contracts/kit'
import { createFilter, listFilters, removeFilter, showFilter, updateFilter } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { changeFilters } from './change.js'
import { deleteKeywords, insertKeywords, updateKeywords } from './keyword.store.js'
import { filterAction, filterContext, filterEnd, filterTitle, keywordChanges } from './rules.js'
import { deleteFilter, filterOf, filtersOf, insertFilter, ownsFilter, updateFilterRow } from './store.js'
import { filterShown } from './view.js'

/** All filters of the viewer, with keywords and statuses (S-111). */
export const list = handle(listFilters, async (ctx, viewer) => (await filtersOf(ctx.db, viewer.id)).map(filterShown))

/** One filter of the viewer; 404 for filters of other accounts (S-113). */
export const show = handle(showFilter, async (ctx, viewer, { id }) => {
  const filter = await filterOf(ctx.db, viewer.id, id)
  if (!filter) throw notFound()
  return filterShown(filter)
})

/** Creates a filter with its keywords, completely or not at all (S-112). */
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

/**
 * Changes a filter and its keywords. Fields that are absent stay unchanged; an invalid part prevents the whole change
 * (S-114).
 */
export const update = handle(updateFilter, async (ctx, viewer, input) => {
  const { id } = input
  // A missing filter is reported before invalid input.
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

/** Deletes a filter with its keywords and statuses (S-115). */
export const remove = handle(removeFilter, (ctx, viewer, { id }) =>
  changeFilters(ctx, {
    account: viewer.id,
    async work(tx) {
      if ((await deleteFilter(tx, viewer.id, id)) === 0) throw notFound()
      return {}
    },
  }),
)
