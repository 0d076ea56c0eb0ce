/** Handles the Accept and Reject of a Follow by a local account. */

import type { ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import { readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { type AccountRecord, applyRemote } from '@murmuration/contracts/accounts'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { authorizeResponse } from '../object-authority.rules.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { localAccount } from './received.js'

type AcceptOrReject = ActivityOf<'Accept' | 'Reject'>

/** Actor id of the local follower in the id of a local Follow (`ACTOR#follows/NUMBER`); null for other ids. */
const followerIn = (uri: Uri): Uri | null =>
  readUri(/^(https?:\/\/[^/]+\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64}))#follows\/\d{1,19}$/.exec(uri)?.[1])

/** Id of the accepted or rejected local Follow; null if absent, or if it is on another server. */
const requestIn = (ctx: Context, { object: { id } }: AcceptOrReject): Uri | null =>
  id !== null && isOurs(id, ctx.self.ownHosts) && followerIn(id) !== null ? id : null

/** Actor ids of the local follower and of the followed account, from the copy of the Follow, else from its id. */
const requester = (
  ctx: Context,
  { inner, actor }: AcceptOrReject,
  request: Uri | null,
): { uri: Uri; to: Uri } | null => {
  const uri = inner?.actor ?? (request && followerIn(request))
  if (uri === null || !isOurs(uri, ctx.self.ownHosts)) return null
  // If the Accept or Reject contains no copy of the Follow, `actor` counts as the followed account. The accounts
  // service then looks for a request of the follower to `actor`.
  return { uri, to: inner?.object?.id ?? actor }
}

export const applyFollowResponse = async (
  ctx: Context,
  { activity, actor }: { activity: AcceptOrReject; actor: AccountRecord },
  what: 'accept-follow' | 'reject-follow',
): Promise<Outcome> => {
  if (activity.inner !== null && activity.inner.type !== 'Follow') return ignored('not-an-answer-to-a-follow')
  const request = requestIn(ctx, activity)
  const followerOf = requester(ctx, activity, request)
  const authorized = authorizeResponse(activity, followerOf)
  if (!authorized.ok) return refused(authorized.reason)
  const account = followerOf && (await localAccount(ctx, followerOf.uri))
  if (!account) return refused('never-asked')
  const { outcome } = await ctx.call(applyRemote, {
    what,
    actor: actor.id,
    target: account.id,
    uri: activity.id,
    // The id of the Follow is passed on, so that an Accept or Reject of an earlier Follow has no effect on a newer
    // Follow.
    ...(request === null ? {} : { request }),
  })
  if (outcome === 'refused') return refused('never-asked')
  return done(outcome === 'done' ? null : outcome)
}
