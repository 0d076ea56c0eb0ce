/** Returns conversation JSON by id to the stream of the account that has them. */
import { fail } from '@murmuration/contracts/kit'
import { conversationCards } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { conversationsByIds } from '../../store/conversation.js'
import { conversationTexts } from '../../views/conversation.js'

export const byIds = handle(conversationCards, async (ctx, _viewer, { viewer, ids, grant }) => {
  if (!ctx.streamGrants.allows(viewer, grant ?? '')) throw fail('forbidden', 'This action is not allowed')
  return conversationTexts(ctx, viewer, await conversationsByIds(ctx.db, viewer, ids))
})
