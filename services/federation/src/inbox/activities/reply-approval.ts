/**
 * Handles the Accept and Reject of a reply. The Accept names an approval document, by which other servers verify the
 * reply.
 */

import { hrefOf, idOf, prop, typesOf } from '@murmuration/activitypub/vocabulary/json'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { approveReply, recordApproval } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { withoutNeedlessParts } from '../../core/address/own-address.rules.js'
import { inOrder } from './ordering.js'
import { done, type Outcome, refused } from './outcome.js'
import { countOnce, followerHere, type Received, retryLater, statusAt } from './received.js'

type AcceptOrReject = Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor' | 'delivery'>

/**
 * URI of the reply, from the URI that the Accept or Reject names: the URI of the status, of its Create, or of a request
 * for approval.
 */
const statusIn = (uri: string): string => uri.replace(/(?:\/activity|#asking)$/, '')

/** Address of the reply in a copy of a ReplyRequest, which other servers send; null for other objects. */
const replyRequested = ({ node }: AcceptOrReject['activity']['object']): Uri | null => {
  if (node === null || !typesOf(node).includes('ReplyRequest')) return null
  const instrument = prop(node, 'instrument')
  return idOf(instrument) ?? hrefOf(instrument)
}

/** Address of the page of a status without an id; null for other objects. */
const pageOf = ({ node }: AcceptOrReject['activity']['object']): Uri | null =>
  node === null || prop(node, 'object') !== undefined ? null : hrefOf(node)

/**
 * Stores the approval of a reply that is not stored yet, if a local account follows the actor. Returns null if the
 * Accept is no approval of such a reply.
 */
const recordEarlyResponse = async (
  ctx: Context,
  response: AcceptOrReject,
  uri: string,
  approval: string | null,
): Promise<Outcome | null> => {
  const { activity, actor, delivery } = response
  // An Accept without `result` does not approve a reply. Neither does an Accept of a Follow or of a request.
  const isOfRequest = /^Follow$|Request$/.test(activity.inner?.type ?? '')
  if (isOfRequest || (activity.type === 'Accept' && activity.result === null)) return null
  if ((await followerHere(ctx, actor.id)) === null) return null
  const may = () => ctx.fetcher.limits.mayAcceptUnknownReply(uri, actor.id)
  if (approval !== null && !(await countOnce(ctx, delivery, 'answer', may))) return refused('answered-too-often')
  return inOrder(ctx, response, { object: `reply ${uri}` }, async () => {
    const { outcome } = await ctx.call(recordApproval, { actor: actor.id, status: uri, approval })
    // The reply was stored while this job ran. The retry of the job finds the stored reply.
    if (outcome === 'here') throw retryLater('the reply was stored while its approval was processed')
    return outcome === 'done' ? done('unknown-object') : null
  })
}

/** Applies the Accept or Reject of a reply. Null if the activity is not about a reply. */
export const applyReplyResponse = async (ctx: Context, received: AcceptOrReject): Promise<Outcome | null> => {
  const { activity, actor, delivery } = received
  const { object } = activity
  // Older servers have no approval documents. For a server without approval documents, the id of the Accept is the
  // approval.
  const accepts = activity.type === 'Accept'
  const approval = accepts ? (activity.result ?? activity.id) : null
  const requested = replyRequested(object)
  const uri = requested ?? object.id ?? pageOf(object)
  if (uri === null || (accepts && approval === null)) return null
  const isHere = isOurs(uri, ctx.self.ownHosts)
  const status = await statusAt(ctx, isHere ? statusIn(withoutNeedlessParts(uri, ctx.self.ownHosts)) : uri)
  const isUnknown = status === null || (!status.deleted && status.in_reply_to_author === null)
  // The Accept or Reject of a request, or of a reply without an id, is not stored if the reply is not stored.
  if (!isHere && isUnknown)
    return requested === null && object.id !== null ? recordEarlyResponse(ctx, received, uri, approval) : null
  if (status === null || status.local !== isHere || status.deleted) return null
  // A remote reply must reply to the actor. Any other actor may not approve it.
  if (!isHere && status.in_reply_to_author !== actor.id) return null
  // A Reject has no rate limit, because it only removes an approval.
  const may = () => ctx.fetcher.limits.mayAccept(status.id, actor.id)
  if (accepts && !(await countOnce(ctx, delivery, 'answer', may))) return refused('answered-too-often')
  return inOrder(ctx, received, { object: `reply ${status.uri}` }, async () => {
    const { outcome } = await ctx.call(approveReply, { actor: actor.id, status: status.id, approval })
    return outcome === 'refused' ? null : done(outcome === 'done' ? null : outcome)
  })
}
