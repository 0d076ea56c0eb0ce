/** Votes in a poll. */
import { fail } from '@murmuration/contracts/kit'
import { vote as contract } from '@murmuration/contracts/statuses'
import { castVote } from '../../changes/poll.js'
import { readChoices } from '../../domain/poll.js'
import { handle } from '../../doors.js'
import { showPollOf, visiblePoll } from '../../views/poll-page.js'

export const vote = handle(contract, async (ctx, viewer, { id, choices }) => {
  const wanted = readChoices(choices)
  const { found } = await visiblePoll(ctx, viewer.id, id)
  if (found.standing?.blocking) throw fail('forbidden', 'This action is not allowed')
  await ctx.db.tx((tx) => castVote(ctx, tx, id, viewer.id, wanted, found.proper.uri))
  return showPollOf(ctx, viewer.id, id)
})
