/** Lets a thread notify again. */
import { unmuteThread } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { unmuteConversation } from '../../store/thread.js'
import { showStatus } from '../../views/status.js'
import { visibleStatus } from '../../views/visible.js'

export const unmute = handle(unmuteThread, async (ctx, viewer, { id }) => {
  const { proper } = await visibleStatus(ctx, viewer.id, id)
  await ctx.db.tx((tx) => unmuteConversation(tx, viewer.id, proper.conversation_id))
  return showStatus(ctx, viewer.id, id)
})
