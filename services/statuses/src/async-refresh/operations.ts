/**
 * Handler that returns the progress of background work: building the viewer's home feed, reading a thread, or making an
 * annual report.
 */
import { notFound } from '@murmuration/contracts/kit'
import { showAsyncRefresh } from '@murmuration/contracts/statuses'
import { readHomeRefreshId } from '../core/async-refresh/rules.js'
import { refreshById } from '../core/async-refresh/store.js'
import { homeKey, isBuilding } from '../feed/index.js'
import { handle } from '../handlers.js'

export const show = handle(showAsyncRefresh, async (ctx, viewer, { id }) => {
  if (/^[0-9a-f]{24}$/.test(id)) {
    const known = await refreshById(ctx.redis, id)
    if (!known) throw notFound('Not Found')
    return { async_refresh: { id, status: known.status, result_count: known.count } }
  }
  if (readHomeRefreshId(id) !== viewer.id) throw notFound('Not Found')
  const running = await isBuilding(ctx.redis, homeKey(viewer.id))
  return { async_refresh: { id, status: running ? 'running' : 'finished', result_count: null } }
})
