/** Delete: an actor deletes itself, its status, its collection of accounts, or its approval of a quote, reply or collection item. */
import { removeRemote } from '@murmuration/contracts/accounts'
import { removeRemoteStatus, revokeApproval, statusRecords } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { authorizeDelete } from '../object-authority.rules.js'
import { featureRevoked } from './feature-response.js'
import { collectionEnded } from './featured-collection.js'
import { forwardBefore, forwardRevocation } from './forward.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { accountOf, type Handler, type Received, statusOf } from './received.js'

/** Revokes the approval of a quote or reply with this URI. Null if no such approval is stored. */
const approvalRevoked = async (
  ctx: Context,
  { actor, passed }: Received<'Delete'>,
  approval: string,
): Promise<Outcome | null> => {
  const { outcome, quoting } = await ctx.call(revokeApproval, { actor: actor.id, approval })
  if (outcome !== 'done') return null
  // Of the Deletes of authorizations, only those of quotes are forwarded. When the approval of a reply is revoked,
  // this server sends an Update of the reply instead.
  const [status] = quoting === null ? [] : (await ctx.call(statusRecords, { ids: [quoting] })).records
  if (status) await forwardRevocation(ctx, passed, status)
  return done()
}

export const remove: Handler<'Delete'> = async (ctx, received) => {
  const { activity, actor, passed } = received
  const { id } = activity.object
  if (id === null) return refused('object-without-id')
  const isSelf = id === activity.actor
  const [other, status] = isSelf ? [null, null] : await Promise.all([accountOf(ctx, id), statusOf(ctx, id)])
  if (status !== null && status.author !== actor.id) return refused('not-yours')
  const authorized = authorizeDelete(activity, {
    owner: status === null ? null : activity.actor,
    isActor: other !== null,
  })
  if (!authorized.ok) return refused(authorized.reason)
  if (authorized.deletes === 'actor') {
    const { removed } = await ctx.call(removeRemote, { uri: authorized.uri })
    return removed ? done() : ignored('unknown-actor')
  }
  const revoked =
    status === null
      ? ((await featureRevoked(ctx, actor, activity.object)) ??
        (await collectionEnded(ctx, received, activity.object)) ??
        (await approvalRevoked(ctx, received, authorized.uri)))
      : null
  if (revoked !== null) return revoked
  await forwardBefore(ctx, passed, actor.id)
  const { outcome } = await ctx.call(removeRemoteStatus, { uri: authorized.uri, author: actor.id })
  if (outcome === 'refused') return refused('not-yours')
  // For an unknown status, the statuses service stores the deletion, so that a later Create has no effect.
  return outcome === 'unknown' ? done('unknown-object') : done()
}
