/** Direct conversations of the viewer, by their last status. */
import { pageReply } from '@murmuration/contracts/kit'
import { listConversations } from '@murmuration/contracts/statuses'
import { endsOf } from '@murmuration/db'
import { handle } from '../../doors.js'
import { conversationPage } from '../../store/conversation.js'
import { conversationTexts } from '../../views/conversation.js'

export const list = handle(listConversations, async (ctx, viewer, page) => {
  const rows = await conversationPage(ctx.db, viewer.id, page)
  const texts = await conversationTexts(ctx, viewer.id, rows)
  const ends = endsOf(
    rows.map((row) => row.last_status_id),
    page,
  )
  return pageReply(listConversations.output, [...texts.values()], ends)
})
