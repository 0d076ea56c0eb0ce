/** Handlers that list and remove remote statuses which nothing here refers to. */
import { unreferencedStatuses, unreferencedStatusesRemove } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { unreferencedAmong } from './find.js'
import { findLocalOf } from './local.js'
import { removeUnreferenced } from './remove.js'
import { remoteWindow } from './store.js'

export const list = handle(unreferencedStatuses, async (ctx, _viewer, { after, before, limit }) => {
  const window = await remoteWindow(ctx.db, after, before, limit)
  const next = window.length < limit ? null : (window.at(-1)?.id ?? null)
  return { statuses: await unreferencedAmong(ctx.db, window, before, findLocalOf(ctx)), seen: window.length, next }
})

export const remove = handle(unreferencedStatusesRemove, async (ctx, _viewer, { ids, before }) => ({
  removed: await removeUnreferenced(ctx, ids, before),
}))
