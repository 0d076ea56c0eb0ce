/** Files a direct status into conversations. */
import { fileConversation as fileConversationJob } from '@murmuration/contracts/statuses'
import { work } from '../handlers.js'
import { fileIntoConversations } from './file.js'

export const fileConversation = work(fileConversationJob, (ctx, { status }) => fileIntoConversations(ctx, status))
