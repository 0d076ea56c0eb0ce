/**
 * The job that checks the approval of a remote reply and shows or hides the reply. Approvals are checked again after
 * some days.
 */
import { notYet } from '@murmuration/contracts/kit'
import { checkReply as checkReplyJob } from '@murmuration/contracts/statuses'
import { work } from '../handlers.js'
import { reconcileReply } from './remote-reply.js'

export const checkReply = work(checkReplyJob, async (ctx, { status }, { tries }) => {
  // If the approval cannot be read at the last try, the reply keeps its state until the next check of the approval.
  if ((await reconcileReply(ctx, status)) === 'later' && tries < checkReplyJob.retry.times)
    throw notYet('The approval of a reply cannot be read yet')
})
