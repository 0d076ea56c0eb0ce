/**
 * Follow: a remote account asks to follow a local one. The accounts service decides. A reaction to its event sends the Accept
 * or Reject.
 */

import { applyRemote, listViewerRelationships } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { INSTANCE_ACCOUNT } from '../../core/address/self.js'
import { sendFollowResponse } from '../../outbox/index.js'
import { requireLocalObject } from '../object-authority.rules.js'
import { done, ignored, refused } from './outcome.js'
import { type Handler, localAccount } from './received.js'
import { relayFollows } from './relay.js'
import { isUndone, unlessNewer } from './undo-state.js'

export const follow: Handler<'Follow'> = async (ctx, received) => {
  const { activity, actor } = received
  const authorized = requireLocalObject(activity.object, ctx.self.ownHosts)
  if (!authorized.ok) return ignored(authorized.reason)
  const relay = await relayFollows(ctx, { activity, actor })
  if (relay !== null) return relay
  if (activity.object === ctx.self.instanceActor) {
    // The instance actor has no followers, so the Follow is rejected.
    const our = { id: INSTANCE_ACCOUNT, uri: ctx.self.instanceActor }
    await sendFollowResponse(ctx, 'reject', { uri: activity.id, our, their: actor })
    return refused('target-refuses')
  }
  const target = await localAccount(ctx, activity.object)
  if (target === null) return refused('unknown-object')
  if (await isUndone(ctx, activity)) return ignored('undone-before')
  const { [olderNames.relationships]: relationships } = await ctx.call(listViewerRelationships, {
    viewer: target.id,
    authors: [actor.id],
  })
  const { outcome } = await unlessNewer(ctx, received, (how) =>
    ctx.call(applyRemote, { what: 'follow', actor: actor.id, target: target.id, uri: activity.id, ...how }),
  )
  const relation = { uri: activity.id, our: target, their: actor }
  // A Follow that changes nothing causes no event, so its Accept or Reject is sent here.
  if (outcome === 'refused') await sendFollowResponse(ctx, 'reject', relation)
  if (outcome === 'done' && relationships[actor.id]?.followed_by) await sendFollowResponse(ctx, 'accept', relation)
  return outcome === 'refused' ? refused('target-refuses') : done(outcome === 'done' ? null : outcome)
}
