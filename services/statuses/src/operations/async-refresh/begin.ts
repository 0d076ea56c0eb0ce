/** Another service begins work in the background about a thread. */
import { beginThreadRefresh } from '@murmuration/contracts/statuses'
import { threadThing } from '../../domain/async-refresh.js'
import { handle } from '../../doors.js'
import { beginRefresh } from '../../store/refresh.js'

export const begin = handle(beginThreadRefresh, async (ctx, _viewer, { status }) => ({
  id: await beginRefresh(ctx.redis, threadThing(status)),
}))
