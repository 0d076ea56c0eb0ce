/** The job that assigns a direct status to conversations. */
import { assignConversation as assignConversationJob } from '@murmuration/contracts/statuses'
import { work } from '../handlers.js'
import { assignConversations } from './assign.js'

export const assignConversation = work(assignConversationJob, (ctx, { status, added }) =>
  assignConversations(ctx, status, added),
)
