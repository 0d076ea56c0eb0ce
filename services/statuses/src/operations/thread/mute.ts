/** Silences a thread: no more notifications from it. */
import { muteThread } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { muteConversation } from '../../store/thread.js'
import { showStatus } from '../../views/status.js'
import { visibleStatus } from '../../views/visible.js'

export const mute = handle(muteThread, async (ctx, viewer, { id }) => {
  const { proper } = await visibleStatus(ctx, viewer.id, id)
  await ctx.db.tx((tx) => muteConversation(tx, viewer.id, proper.conversation_id))
  return showStatus(ctx, viewer.id, id)
})
