/** A remote actor voted in a poll of ours. */
import { castRemoteVote } from '@murmuration/contracts/statuses'
import { remoteVote } from '../../changes/remote-vote.js'
import { handle } from '../../doors.js'

export const voteRemote = handle(castRemoteVote, async (ctx, _viewer, input) => ({
  outcome: await remoteVote(ctx, input),
}))
