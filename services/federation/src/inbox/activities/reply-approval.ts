/** Accept and Reject of an answer: whether who is answered approves it, which other servers want to see proved. */
import { approveReply, noteApproval } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/authority.rules.js'
import { done, type Outcome, refused } from './outcome.js'
import { countOnce, followerHere, type Received, statusOf, tryLater } from './received.js'
import { inTurn } from './turn.js'

type Answer = Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor' | 'letter'>

/** What is approved may be named by the status, or by the Create that brought it. */
const statusIn = (uri: string): string => uri.replace(/(?:\/activity|#asking)$/, '')

/** It is not known here yet who is answered: what they say of it is remembered, when somebody here follows them. */
const answeredEarly = async (
  ctx: Context,
  answer: Answer,
  uri: string,
  approval: string | null,
): Promise<Outcome | null> => {
  const { activity, actor, letter } = answer
  // Whoever gives approvals addresses says so; what was asked for is said to who asked, and everything else is about a follow.
  const isAsked = /^Follow$|Request$/.test(activity.inner?.type ?? '')
  if (isAsked || (activity.type === 'Accept' && activity.result === null)) return null
  if ((await followerHere(ctx, actor.id)) === null) return null
  const may = () => ctx.reader.budgets.mayAnswerEarly(uri, actor.id)
  if (approval !== null && !(await countOnce(ctx, letter, 'answer', may))) return refused('answered-too-often')
  return inTurn(ctx, answer, { thing: `reply ${uri}` }, async () => {
    const { outcome } = await ctx.call(noteApproval, { actor: actor.id, status: uri, approval })
    // It came in this moment: the next try finds it.
    if (outcome === 'here') throw tryLater('An answer came while it was approved')
    return outcome === 'done' ? done('unknown-object') : null
  })
}

/** Null when something else is answered. */
export const replyAnswered = async (ctx: Context, received: Answer): Promise<Outcome | null> => {
  const { activity, actor, letter } = received
  const { object } = activity
  // From before approvals had addresses of their own, the Accept itself is the approval.
  const accepts = activity.type === 'Accept'
  const approval = accepts ? (activity.result ?? activity.id) : null
  if (object.id === null || (accepts && approval === null)) return null
  const isHere = isOurs(object.id, ctx.self.ownHosts)
  const status = await statusOf(ctx, isHere ? statusIn(object.id) : object.id)
  const isUnknown = status === null || (!status.deleted && status.in_reply_to_author === null)
  if (!isHere && isUnknown) return answeredEarly(ctx, received, object.id, approval)
  if (status === null || status.local !== isHere || status.deleted) return null
  // Answers of third servers are said to be approved to all who follow whom they answer.
  if (!isHere && status.in_reply_to_author !== actor.id) return null
  // A Reject can only take away.
  const may = () => ctx.reader.budgets.mayAnswer(status.id, actor.id)
  if (accepts && !(await countOnce(ctx, letter, 'answer', may))) return refused('answered-too-often')
  return inTurn(ctx, received, { thing: `reply ${status.uri}` }, async () => {
    const { outcome } = await ctx.call(approveReply, { actor: actor.id, status: status.id, approval })
    return outcome === 'refused' ? null : done(outcome === 'done' ? null : outcome)
  })
}
