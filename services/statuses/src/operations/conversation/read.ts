/** Marks a conversation of the viewer as read, on all their devices. */
import { notFound } from '@murmuration/contracts/kit'
import { readConversation } from '@murmuration/contracts/statuses'
import { tellConversations } from '../../changes/conversation.js'
import { handle } from '../../doors.js'
import { markConversation } from '../../store/conversation.js'
import { conversationText } from '../../views/conversation.js'

export const read = handle(readConversation, async (ctx, viewer, { id }) => {
  const row = await ctx.db.tx((tx) => markConversation(tx, viewer.id, id, false))
  if (!row) throw notFound()
  await tellConversations(ctx, [row])
  return conversationText(ctx, row)
})
