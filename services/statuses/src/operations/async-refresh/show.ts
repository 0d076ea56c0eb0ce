/** Whether the viewer’s home feed is still being made. */
import { notFound } from '@murmuration/contracts/kit'
import { showAsyncRefresh } from '@murmuration/contracts/statuses'
import { readHomeRefreshId } from '../../domain/async-refresh.js'
import { handle } from '../../doors.js'
import { homeKey, isBuilding } from '../../store/feed.js'

export const show = handle(showAsyncRefresh, async (ctx, viewer, { id }) => {
  if (readHomeRefreshId(id) !== viewer.id) throw notFound('Not Found')
  const running = await isBuilding(ctx.redis, homeKey(viewer.id))
  return { async_refresh: { id, status: running ? 'running' : 'finished', result_count: null } }
})
