/** Accept of an answer by somebody here: who is answered approved it, which other servers want to see proved. */
import { approveReply } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { isOurs } from '../domain/authority.js'
import { done, type Outcome } from './outcome.js'
import { type Received, statusOf } from './received.js'

/** Null when something else is accepted. */
export const replyApproved = async (
  ctx: Context,
  { activity, actor }: Pick<Received<'Accept'>, 'activity' | 'actor'>,
): Promise<Outcome | null> => {
  const { object, result } = activity
  if (object.id === null || result === null || !isOurs(object.id, ctx.self.ownHosts)) return null
  const status = await statusOf(ctx, object.id)
  if (status === null || !status.local || status.deleted) return null
  const { outcome } = await ctx.call(approveReply, { actor: actor.id, status: status.id, approval: result })
  return outcome === 'refused' ? null : done(outcome === 'done' ? null : outcome)
}
