/** Another service says how far its work about a thread is. */
import { tellThreadRefresh } from '@murmuration/contracts/statuses'
import { threadThing } from '../../domain/async-refresh.js'
import { handle } from '../../doors.js'
import { tellRefresh } from '../../store/refresh.js'

export const tell = handle(tellThreadRefresh, async (ctx, _viewer, { status, id, finished, count }) => {
  await tellRefresh(ctx.redis, threadThing(status), { id, status: finished ? 'finished' : 'running', count })
  return {}
})
