/** Queues fetching the replies to a remote status when its thread is viewed, unless that was done recently. */
import { fetchRepliesJob } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { mayFetchReplies, threadRefreshName } from '../core/async-refresh/rules.js'
import { beginRefresh, type Refresh, refreshOf, updateRefresh } from '../core/async-refresh/store.js'
import type { LoadedStatus } from '../core/viewer/loaded-status.store.js'

/** Async refresh of the thread of a status, started if there is none. Null if its replies are not fetched. */
export const threadRefresh = async (
  ctx: Context,
  status: Pick<LoadedStatus, 'id' | 'local' | 'visibility'>,
): Promise<Refresh | null> => {
  if (!mayFetchReplies(status, ctx.clock.now())) return null
  const thing = threadRefreshName(status.id)
  const known = await refreshOf(ctx.redis, thing)
  const id = known === null ? await beginRefresh(ctx.redis, thing) : null
  if (id === null) return known
  try {
    await ctx.queues.push(fetchRepliesJob, { id, data: { status: status.id, refresh: id } })
    return { id, status: 'running', count: 0 }
  } catch (error) {
    ctx.log.warn({ error }, 'replies to a status were not queued for fetching')
    await updateRefresh(ctx.redis, thing, { id, status: 'finished', count: 0 })
    return null
  }
}
