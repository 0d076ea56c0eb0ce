/** Handlers of keywords of filters. */
import { notFound } from '@murmuration/contracts/kit'
import {
  addFilterKeyword,
  listFilterKeywords,
  removeFilterKeyword,
  showFilterKeyword,
  updateFilterKeyword,
} from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { changeFilters } from './change.js'
import { dropKeyword } from './drop-keyword.js'
import { insertKeywords, keywordOf, updateKeywords } from './keyword.store.js'
import { filterKeyword } from './rules.js'
import { filterOf, ownsFilter } from './store.js'

/** Keywords of a filter of the viewer (S-116). */
export const list = handle(listFilterKeywords, async (ctx, viewer, { filter_id }) => {
  const filter = await filterOf(ctx.db, viewer.id, filter_id)
  if (!filter) throw notFound()
  return filter.keywords
})

/** One keyword of a filter of the viewer (S-118). */
export const show = handle(showFilterKeyword, async (ctx, viewer, { id }) => {
  const row = await keywordOf(ctx.db, viewer.id, id)
  if (!row) throw notFound()
  return { id: row.id, keyword: row.keyword, whole_word: row.whole_word }
})

/** Adds a keyword to a filter of the viewer (S-117). */
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

/** Changes a keyword of a filter of the viewer. Fields that are absent stay unchanged. */
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

/** Deletes a keyword of a filter of the viewer. */
export const remove = handle(removeFilterKeyword, (ctx, viewer, { id }) => dropKeyword(ctx, viewer.id, id))
