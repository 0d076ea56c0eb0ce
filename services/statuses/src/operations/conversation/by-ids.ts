/** Conversation JSON by id for the person whose they are, for open connections. */
import { conversationCards } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { conversationsByIds } from '../../store/conversation.js'
import { conversationTexts } from '../../views/conversation.js'

export const byIds = handle(conversationCards, async (ctx, _viewer, { viewer, ids }) =>
  conversationTexts(ctx, viewer, await conversationsByIds(ctx.db, viewer, ids)),
)
