/** Accept and Reject of a reply: approvals of replies, which other servers verify. */
import { approveReply, noteApproval } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/authority.rules.js'
import { inOrder } from './ordering.js'
import { done, type Outcome, refused } from './outcome.js'
import { countOnce, followerHere, type Received, statusOf, tryLater } from './received.js'

type Answer = Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor' | 'delivery'>

/** The approved reply, named by the status or by its Create. */
const statusIn = (uri: string): string => uri.replace(/(?:\/activity|#asking)$/, '')

/** The reply is unknown here: its approval is remembered if a local account follows the approving actor. */
const answeredEarly = async (
  ctx: Context,
  answer: Answer,
  uri: string,
  approval: string | null,
): Promise<Outcome | null> => {
  const { activity, actor, delivery } = answer
  // An approval has an address. Other Accepts are about a request of this server, or a follow.
  const isAsked = /^Follow$|Request$/.test(activity.inner?.type ?? '')
  if (isAsked || (activity.type === 'Accept' && activity.result === null)) return null
  if ((await followerHere(ctx, actor.id)) === null) return null
  const may = () => ctx.reader.budgets.mayAnswerEarly(uri, actor.id)
  if (approval !== null && !(await countOnce(ctx, delivery, 'answer', may))) return refused('answered-too-often')
  return inOrder(ctx, answer, { object: `reply ${uri}` }, async () => {
    const { outcome } = await ctx.call(noteApproval, { actor: actor.id, status: uri, approval })
    // The reply was just stored: the retry finds it.
    if (outcome === 'here') throw tryLater('An answer came while it was approved')
    return outcome === 'done' ? done('unknown-object') : null
  })
}

/** Null if the activity is about something else. */
export const replyAnswered = async (ctx: Context, received: Answer): Promise<Outcome | null> => {
  const { activity, actor, delivery } = received
  const { object } = activity
  // Older servers have no address for approvals: the Accept itself is the approval.
  const accepts = activity.type === 'Accept'
  const approval = accepts ? (activity.result ?? activity.id) : null
  if (object.id === null || (accepts && approval === null)) return null
  const isHere = isOurs(object.id, ctx.self.ownHosts)
  const status = await statusOf(ctx, isHere ? statusIn(object.id) : object.id)
  const isUnknown = status === null || (!status.deleted && status.in_reply_to_author === null)
  if (!isHere && isUnknown) return answeredEarly(ctx, received, object.id, approval)
  if (status === null || status.local !== isHere || status.deleted) return null
  // Approvals of replies by third servers are sent to all followers of the approving account.
  if (!isHere && status.in_reply_to_author !== actor.id) return null
  // A Reject can only remove.
  const may = () => ctx.reader.budgets.mayAnswer(status.id, actor.id)
  if (accepts && !(await countOnce(ctx, delivery, 'answer', may))) return refused('answered-too-often')
  return inOrder(ctx, received, { object: `reply ${status.uri}` }, async () => {
    const { outcome } = await ctx.call(approveReply, { actor: actor.id, status: status.id, approval })
    return outcome === 'refused' ? null : done(outcome === 'done' ? null : outcome)
  })
}
