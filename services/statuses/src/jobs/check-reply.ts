/** Proves the approval of a remote answer that needs one, and shows or hides it accordingly; days later once more. */
import { notYet } from '@murmuration/contracts/kit'
import { checkReply as contract } from '@murmuration/contracts/statuses'
import { settleReply } from '../changes/remote-reply.js'
import { work } from '../doors.js'

export const checkReply = work(contract, async (ctx, { status }, { tries }) => {
  // After the last try it stays as it is, and waits for the next one who reads the thread.
  if ((await settleReply(ctx, status)) === 'later' && tries < contract.retry.times)
    throw notYet('The approval of an answer cannot be read yet')
})
