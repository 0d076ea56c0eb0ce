/** Votes of remote accounts in local polls. A vote is a Create of a Note that has only the name of an option. */

import type { ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import { readNote, voteOf } from '@murmuration/activitypub/vocabulary/read-note'
import { lineFromAll } from '@murmuration/activitypub/vocabulary/text-or-html'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { castRemoteVote } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs, type OwnHosts } from '../../core/activity/authority.rules.js'
import { authorizeCreate } from '../object-authority.rules.js'
import { recordInteracted, recordTooLate } from './interacted.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import type { Received } from './received.js'

export interface Vote {
  readonly poll: Uri
  readonly option: string
  readonly uri: Uri
}

/** The votes of an activity whose objects are all votes; else null. */
export const votesIn = (activity: ActivityOf<'Create'>, ownHosts: OwnHosts): Vote[] | null => {
  const votes = activity.objects.flatMap((object) => {
    const authorized = authorizeCreate(activity, object, ownHosts)
    if (!authorized.ok || authorized.from !== 'copy') return []
    const read = readNote(authorized.node, { around: activity })
    const vote = read.ok ? voteOf(read.note) : null
    return vote === null ? [] : [{ ...vote, uri: authorized.uri }]
  })
  return votes.length === activity.objects.length ? votes : null
}

/**
 * The vote, with the name without word joiners as `instead`. `instead` counts only if no option has the name as it was
 * sent.
 */
const ballotOf = ({ option, uri }: Vote): { option: string; uri: string; instead?: string } => {
  const instead = lineFromAll(option)
  return { option, uri, ...(instead !== option && { instead }) }
}

/** Casts the votes of an activity, which must all be in one poll. */
export const castVotes = async (
  ctx: Context,
  { actor }: Pick<Received<'Create'>, 'actor'>,
  votes: readonly Vote[],
): Promise<Outcome> => {
  const [status, ...others] = new Set(votes.map((vote) => vote.poll))
  if (status === undefined || others.length > 0) return refused('votes-in-several-polls')
  // A vote in a remote poll is ignored, because the server of the poll counts its votes.
  if (!isOurs(status, ctx.self.ownHosts)) return ignored('unknown-object')
  const { outcome } = await ctx.call(castRemoteVote, {
    status,
    actor: actor.id,
    votes: votes.map(ballotOf),
  })
  if (outcome === 'done' || outcome === 'unchanged') await recordInteracted(ctx, actor, [status])
  if (outcome === 'unknown') await recordTooLate(ctx, actor, [status])
  switch (outcome) {
    case 'done':
      return done()
    case 'unchanged':
      return done('unchanged')
    case 'ended':
      return ignored('poll-is-over')
    case 'no-option':
      return refused('no-such-option')
    case 'unknown':
      return ignored('unknown-object')
    default:
      return refused('not-yours')
  }
}
