/** The thread around a status. */
import { reply } from '@murmuration/contracts/kit'
import { showThread } from '@murmuration/contracts/statuses'
import { askForApprovals, askForQuote } from '../../changes/ask-again.js'
import { threadRefresh } from '../../changes/thread-refresh.js'
import { refreshHeader } from '../../domain/async-refresh.js'
import { handle } from '../../doors.js'
import { showThreadAround } from '../../views/thread.js'
import { visibleStatus } from '../../views/visible.js'

export const show = handle(showThread, async (ctx, viewer, { id }) => {
  const { proper } = await visibleStatus(ctx, viewer?.id ?? null, id)
  // Only people can ask how far it is, and only they make us ask others.
  if (viewer !== null) await Promise.all([askForQuote(ctx, proper), askForApprovals(ctx, proper)])
  const running = viewer === null ? null : await threadRefresh(ctx, proper)
  const thread = await showThreadAround(ctx, viewer?.id ?? null, proper.id)
  if (running?.status !== 'running') return thread
  return reply(thread, { headers: refreshHeader(running.id, { retry: 3, count: running.count }) })
})
