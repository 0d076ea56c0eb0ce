/** Hides a conversation of the viewer until somebody writes in it again. */
import { notFound } from '@murmuration/contracts/kit'
import { removeConversation } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { deleteConversation } from '../../store/conversation.js'

export const remove = handle(removeConversation, async (ctx, viewer, { id }) => {
  if ((await ctx.db.tx((tx) => deleteConversation(tx, viewer.id, id))) === 0) throw notFound()
  return {}
})
