/** Deletes a keyword. The filter of the keyword stays, even if it is empty. */
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { changeFilters } from './change.js'
import { deleteKeywords, keywordOf } from './keyword.store.js'

export const dropKeyword = (ctx: Context, account: string, id: string): Promise<Record<string, never>> =>
  changeFilters(ctx, {
    account,
    async work(tx) {
      const row = await keywordOf(tx, account, id)
      if (!row) throw notFound()
      await deleteKeywords(tx, row.filter_id, [id])
      return {}
    },
  })
