/** Proves the approval of a remote answer that needs one, and shows or hides it accordingly; days later once more. */
import { notYet } from '@murmuration/contracts/kit'
import { checkReply as checkReplyJob } from '@murmuration/contracts/statuses'
import { work } from '../handlers.js'
import { reconcileReply } from './remote-reply.js'

export const checkReply = work(checkReplyJob, async (ctx, { status }, { tries }) => {
  // After the last try it stays as it is, and waits for the next one who reads the thread.
  if ((await reconcileReply(ctx, status)) === 'later' && tries < checkReplyJob.retry.times)
    throw notYet('The approval of an answer cannot be read yet')
})
