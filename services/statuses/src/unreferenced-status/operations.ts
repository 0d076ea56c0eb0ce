/** Handlers that list and delete unreferenced remote statuses. */
import { removeUnreferencedStatuses, unreferencedStatuses } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { findAccountsOf } from './accounts.js'
import { unreferencedAmong } from './find.js'
import { removeUnreferenced } from './remove.js'
import { remoteWindow } from './store.js'

export const list = handle(unreferencedStatuses, async (ctx, _viewer, { after, before, limit, clean_followed }) => {
  const window = await remoteWindow(ctx.db, after, before, limit)
  const conditions = { before, findAccounts: findAccountsOf(ctx), keepFollowed: !clean_followed }
  const { found, seen } = await unreferencedAmong(ctx.db, window, conditions)
  const isLast = window.length < limit && seen === window.length
  return { statuses: found, seen, next: isLast ? null : (window[seen - 1]?.id ?? null) }
})

export const remove = handle(removeUnreferencedStatuses, async (ctx, _viewer, { ids, before }) => ({
  removed: await removeUnreferenced(ctx, ids, before),
}))
