/** The thread around a status. */
import { showThread } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showThreadAround } from '../../views/thread.js'
import { visibleStatus } from '../../views/visible.js'

export const show = handle(showThread, async (ctx, viewer, { id }) => {
  const { proper } = await visibleStatus(ctx, viewer?.id ?? null, id)
  return showThreadAround(ctx, viewer?.id ?? null, proper.id)
})
