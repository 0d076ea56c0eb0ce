/** Creates local polls, and applies votes and edits to them. */

import { pollReopened, pollVoted } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { checkVote, type PollDraft } from '../core/poll/rules.js'
import {
  changePoll,
  choicesOf,
  clearEnd,
  deletePoll,
  insertPoll,
  insertVotes,
  lockPoll,
  type NewPoll,
  type PollRow,
  pollsOf,
  resetPoll,
} from '../core/poll/store.js'
import { noStatus } from '../core/visibility/find-status.js'

export const newPoll = (
  id: string,
  draft: PollDraft,
  of: { status: string; author: string; local: boolean },
): NewPoll => ({
  id,
  status_id: of.status,
  author_id: of.author,
  local: of.local,
  options: draft.options,
  names: null,
  votes: draft.options.map(() => 0),
  voters: 0,
  multiple: draft.multiple,
  hide_totals: draft.hide_totals,
  expires_at: draft.expires_at,
})

interface Ballot {
  voter: { id: string; local: boolean }
  choices: readonly number[]
  statusUri: string
  /** ActivityPub id of each choice of a remote vote; null for local votes. */
  uris: readonly string[] | null
}

/**
 * Stores the votes of one account and announces them. The caller has locked the poll and checked the votes.
 * @param first true if the account had not voted before
 */
export const countVotes = async (
  ctx: Context,
  tx: Tx,
  poll: PollRow,
  { voter, choices, statusUri, uris }: Ballot,
  first: boolean,
): Promise<void> => {
  await insertVotes(tx, poll, { id: ctx.ids.next(), account: voter.id, choices, first, uris })
  await ctx.announce(tx, pollVoted, {
    id: poll.id,
    status: poll.status_id,
    statusUri,
    author: poll.author_id,
    authorLocal: poll.local,
    by: voter.id,
    byLocal: voter.local,
    options: choices.map((choice) => (poll.names ?? poll.options)[choice] ?? ''),
  })
}

/**
 * Stores the vote of a local account. The poll is locked, so of concurrent votes that the rules exclude only the first
 * counts (F056).
 */
export const castVote = async (
  ctx: Context,
  tx: Tx,
  pollId: string,
  voter: string,
  choices: readonly number[],
  statusUri: string,
): Promise<void> => {
  const poll = await lockPoll(tx, pollId)
  if (!poll) throw noStatus()
  const before = (await choicesOf(tx, voter, [pollId])).get(pollId) ?? []
  checkVote(
    { authorId: poll.author_id, options: poll.options.length, multiple: poll.multiple, expiresAt: poll.expires_at },
    voter,
    choices,
    before,
    ctx.clock.now(),
  )
  const ballot = { voter: { id: voter, local: true }, choices, statusUri, uris: null }
  await countVotes(ctx, tx, poll, ballot, before.length === 0)
}

/**
 * Announces that the end of a poll no longer applies, if it was announced. The caller must not yet have changed or
 * deleted the poll.
 * @param expiresAt the new end, if only the end changes
 */
export const undoEnd = async (
  ctx: Context,
  tx: Tx,
  { id, status, expiresAt = null }: { id: string; status: string; expiresAt?: Date | null },
): Promise<void> => {
  if (await clearEnd(tx, id, expiresAt)) await ctx.announce(tx, pollReopened, { id, status })
}

/**
 * Applies an edit to the poll of a status: creates, changes, resets or deletes it. New options, or another `multiple`,
 * reset the votes. Returns the id of the poll. `changed`: true if the change counts as an edit of the status (the poll
 * was created or deleted, or its votes reset). Changing only the deadline or `hide_totals` does not count, as in the
 * upstream API.
 */
export const editPoll = async (
  ctx: Context,
  tx: Tx,
  before: { status: string; author: string; pollId: string | null },
  draft: PollDraft | null,
): Promise<{ id: string | null; changed: boolean }> => {
  if (draft === null) {
    if (before.pollId !== null) {
      await undoEnd(ctx, tx, { id: before.pollId, status: before.status })
      await deletePoll(tx, before.pollId)
    }
    return { id: null, changed: before.pollId !== null }
  }
  const old = before.pollId === null ? undefined : (await pollsOf(tx, [before.pollId])).get(before.pollId)
  if (!old) {
    const id = ctx.ids.next()
    await insertPoll(tx, newPoll(id, draft, { status: before.status, author: before.author, local: true }))
    return { id, changed: true }
  }
  const same = old.multiple === draft.multiple && JSON.stringify(old.options) === JSON.stringify(draft.options)
  await undoEnd(ctx, tx, { id: old.id, status: before.status, ...(same ? { expiresAt: draft.expires_at } : {}) })
  if (same) await changePoll(tx, old.id, draft)
  else await resetPoll(tx, old.id, { ...draft, names: null, votes: draft.options.map(() => 0), voters: 0 })
  return { id: old.id, changed: !same }
}
