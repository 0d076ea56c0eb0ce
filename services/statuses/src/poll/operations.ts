/** Handlers of polls. */

import { fail } from '@murmuration/contracts/kit'
import { castRemoteVote, vote as contract, pollVoters, showPoll } from '@murmuration/contracts/statuses'
import { readChoices } from '../core/poll/rules.js'
import { hasEnded, localVoters } from '../core/poll/store.js'
import { refetchPoll } from '../core/refetch/refetch.js'
import { handle } from '../handlers.js'
import { pollFor, showPollOf, visiblePoll } from './page.js'
import { castVote } from './poll.js'
import { remoteVote } from './remote-vote.js'

/** A poll with its current results, for viewers who may see its status. */
export const show = handle(showPoll, async (ctx, viewer, { id }) => {
  const { row } = await visiblePoll(ctx, viewer?.id ?? null, id)
  const shown = await pollFor(ctx, viewer?.id ?? null, row)
  // Requests of anonymous viewers cause no request to the poll's server.
  if (viewer !== null) await refetchPoll(ctx, row)
  return shown
})

/** Stores the viewer's vote in a poll, and returns the poll. */
export const vote = handle(contract, async (ctx, viewer, { id, choices }) => {
  const { found } = await visiblePoll(ctx, viewer.id, id)
  const wanted = readChoices(choices)
  if (found.relationship?.blocking) throw fail('forbidden', 'This action is not allowed')
  await ctx.db.tx((tx) => castVote(ctx, tx, id, viewer.id, wanted, found.original.uri))
  return showPollOf(ctx, viewer.id, id)
})

/** Stores the vote of a remote actor in a local poll. */
export const voteRemote = handle(castRemoteVote, async (ctx, _viewer, input) => ({
  outcome: await remoteVote(ctx, input),
}))

/** Local accounts that voted in a poll, by page, and whether the poll is running. */
export const voters = handle(pollVoters, async (ctx, _viewer, { poll, after, limit = 1_000 }) => {
  const [accounts, ended] = await Promise.all([localVoters(ctx.db, poll, after ?? '0', limit), hasEnded(ctx.db, poll)])
  const next = accounts.length === limit ? (accounts.at(-1) ?? null) : null
  return { accounts, next, ...(ended ? {} : { running: true as const }) }
})
