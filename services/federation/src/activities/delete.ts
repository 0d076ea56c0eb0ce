/** Delete: an actor takes back a status of its own, or the approval of a quote, or is gone itself. */
import { removeRemote } from '@murmuration/contracts/accounts'
import { removeRemoteStatus, withdrawQuote } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { judgeDelete } from '../domain/object-authority.js'
import { done, ignored, refused } from './outcome.js'
import { accountOf, type Handler, statusOf } from './received.js'

/** True when this was the approval of a quote that is known here. */
const withdrew = async (ctx: Context, actor: string, stamp: string): Promise<boolean> =>
  (await ctx.call(withdrawQuote, { actor, stamp })).outcome === 'done'

export const remove: Handler<'Delete'> = async (ctx, { activity, actor }) => {
  const { id } = activity.object
  if (id === null) return refused('object-without-id')
  const isSelf = id === activity.actor
  const [other, status] = isSelf ? [null, null] : await Promise.all([accountOf(ctx, id), statusOf(ctx, id)])
  if (status !== null && status.author !== actor.id) return refused('not-yours')
  const judged = judgeDelete(activity, { owner: status === null ? null : activity.actor, isActor: other !== null })
  if (!judged.ok) return refused(judged.reason)
  if (judged.deletes === 'actor') {
    const { removed } = await ctx.call(removeRemote, { uri: judged.uri })
    return removed ? done() : ignored('unknown-actor')
  }
  if (status === null && (await withdrew(ctx, actor.id, judged.uri))) return done()
  const { outcome } = await ctx.call(removeRemoteStatus, { uri: judged.uri, author: actor.id })
  if (outcome === 'refused') return refused('not-yours')
  // What came before its status is remembered by statuses, so that the status itself does nothing when it comes.
  return outcome === 'unknown' ? done('unknown-object') : done()
}
