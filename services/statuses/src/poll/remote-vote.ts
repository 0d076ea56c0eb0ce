/** Stores votes of remote accounts in local polls: each choice once, in any order, and never after the end. */
import type { ResultOf } from '@murmuration/contracts/kit'
import type { castRemoteVote } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { actorOf } from '../core/author/remote-actor.js'
import { countable, isExpired } from '../core/poll/rules.js'
import { choicesOf, lockPoll } from '../core/poll/store.js'
import { lockIfNotDeleted } from '../core/status/store.js'
import { namedStatus } from '../core/visibility/named-status.js'
import { countVotes } from './poll.js'

interface Ballots {
  /** ActivityPub id of the status with the poll. */
  status: string
  /** Account id of the remote voter. */
  actor: string
  votes: readonly { option: string; uri: string; instead?: string | undefined }[]
}

/** Index of the option with the title `option`, else of that with the title `instead`; -1 if there is neither. */
const choiceOf = (options: readonly string[], { option, instead }: Ballots['votes'][number]): number =>
  options.includes(option) || instead === undefined ? options.indexOf(option) : options.indexOf(instead)

type Outcome = ResultOf<typeof castRemoteVote.output>['outcome']

export const remoteVote = async (ctx: Context, { actor, status, votes }: Ballots): Promise<Outcome> => {
  const uris = votes.map((vote) => vote.uri)
  const [who, loaded] = await Promise.all([actorOf(ctx, actor, uris), namedStatus(ctx, actor, status)])
  if (!who) return 'refused'
  const pollId = loaded?.poll_id ?? null
  if (!loaded?.local || pollId === null) return 'unknown'
  return ctx.db.tx(async (tx) => {
    const poll = (await lockIfNotDeleted(tx, loaded.id)) ? await lockPoll(tx, pollId) : null
    if (!poll) return 'unknown'
    if (isExpired(poll.expires_at, ctx.clock.now())) return 'ended'
    const before = (await choicesOf(tx, actor, [pollId])).get(pollId) ?? []
    const wanted = votes.map((vote) => choiceOf(poll.options, vote))
    if (!wanted.some((choice) => choice >= 0)) return 'no-option'
    const choices = countable(poll, wanted, before)
    if (choices.length === 0) return 'unchanged'
    const ballot = {
      voter: { id: actor, local: false },
      choices,
      statusUri: loaded.uri,
      uris: choices.map((choice) => uris[wanted.indexOf(choice)] as string),
    }
    await countVotes(ctx, tx, poll, ballot, before.length === 0)
    return 'done'
  })
}
