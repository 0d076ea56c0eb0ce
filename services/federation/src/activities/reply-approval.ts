/** Accept and Reject of an answer by somebody here: whether who is answered approves it, which other servers want to see proved. */
import { approveReply } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { isOurs } from '../domain/authority.js'
import { done, type Outcome, refused } from './outcome.js'
import { type Received, statusOf } from './received.js'

/** What is approved may be named by the status, or by the Create that brought it. */
const statusIn = (uri: string): string => uri.replace(/(?:\/activity|#asking)$/, '')

/** Null when something else is answered. */
export const replyAnswered = async (
  ctx: Context,
  { activity, actor }: Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor'>,
): Promise<Outcome | null> => {
  const { object } = activity
  // From before approvals had addresses of their own, the Accept itself is the approval.
  const accepts = activity.type === 'Accept'
  const approval = accepts ? (activity.result ?? activity.id) : null
  if (object.id === null || (accepts && approval === null) || !isOurs(object.id, ctx.self.ownHosts)) return null
  const status = await statusOf(ctx, statusIn(object.id))
  if (status === null || !status.local || status.deleted) return null
  // A Reject can only take away.
  if (accepts && !(await ctx.reader.budgets.mayAnswer(status.id, actor.id))) return refused('answered-too-often')
  const { outcome } = await ctx.call(approveReply, { actor: actor.id, status: status.id, approval })
  return outcome === 'refused' ? null : done(outcome === 'done' ? null : outcome)
}
