/**
 * Block: a remote account blocks a local account. The follows between the two accounts end in both directions, without
 * a notification.
 */
import { applyRemote } from '@murmuration/contracts/accounts'
import { authorizeBlock } from '../object-authority.rules.js'
import { done, ignored, refused } from './outcome.js'
import { type Handler, localAccount } from './received.js'
import { isUndone, unlessNewer } from './undo-state.js'

export const block: Handler<'Block'> = async (ctx, received) => {
  const { activity, actor } = received
  const authorized = authorizeBlock(activity, ctx.self.ownHosts)
  if (!authorized.ok) return ignored(authorized.reason)
  const target = await localAccount(ctx, activity.object)
  if (target === null) return refused('unknown-object')
  if (await isUndone(ctx, activity)) return ignored('undone-before')
  const { outcome } = await unlessNewer(ctx, received, (how) =>
    ctx.call(applyRemote, { what: 'block', actor: actor.id, target: target.id, uri: activity.id, ...how }),
  )
  return outcome === 'refused' ? refused('target-refuses') : done(outcome === 'done' ? null : outcome)
}
