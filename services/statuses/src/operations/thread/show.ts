/** The thread around a status. */
import { reply } from '@murmuration/contracts/kit'
import { showThread } from '@murmuration/contracts/statuses'
import { refreshHeader, threadThing } from '../../domain/async-refresh.js'
import { handle } from '../../doors.js'
import { refreshOf } from '../../store/refresh.js'
import { showThreadAround } from '../../views/thread.js'
import { visibleStatus } from '../../views/visible.js'

export const show = handle(showThread, async (ctx, viewer, { id }) => {
  const { proper } = await visibleStatus(ctx, viewer?.id ?? null, id)
  // Only people can ask how far it is.
  const running = viewer === null || proper.local ? null : await refreshOf(ctx.redis, threadThing(proper.id))
  const thread = await showThreadAround(ctx, viewer?.id ?? null, proper.id)
  if (running?.status !== 'running') return thread
  return reply(thread, { headers: refreshHeader(running.id, { retry: 3, count: running.count }) })
})
