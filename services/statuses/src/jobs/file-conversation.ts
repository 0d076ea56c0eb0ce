/** Files a direct status into conversations. */
import { fileConversation as contract } from '@murmuration/contracts/statuses'
import { fileIntoConversations } from '../changes/conversation.js'
import { work } from '../doors.js'

export const fileConversation = work(contract, (ctx, { status }) => fileIntoConversations(ctx, status))
