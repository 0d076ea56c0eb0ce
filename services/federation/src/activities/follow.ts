/** Follow: somebody elsewhere wants to follow a person here; accounts decides, and the answer goes out on its event. */
import { applyRemote } from '@murmuration/contracts/accounts'
import { judgeOurs } from '../domain/object-authority.js'
import { done, ignored, refused } from './outcome.js'
import { type Handler, localAccount } from './received.js'
import { isUndone } from './undone.js'

export const follow: Handler<'Follow'> = async (ctx, { activity, actor }) => {
  const judged = judgeOurs(activity.object, ctx.self.ownHosts)
  if (!judged.ok) return ignored(judged.reason)
  const target = await localAccount(ctx, activity.object)
  if (target === null) return refused('unknown-object')
  if (await isUndone(ctx, activity)) return ignored('undone-before')
  const { outcome } = await ctx.call(applyRemote, {
    what: 'follow',
    actor: actor.id,
    target: target.id,
    uri: activity.id,
  })
  return outcome === 'refused' ? refused('target-refuses') : done(outcome === 'done' ? null : outcome)
}
