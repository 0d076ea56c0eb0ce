/** Accept and Reject of a question of ours whether a status may quote. */
import { isId } from '@murmuration/contracts/kit'
import { answerQuote } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { isOurs } from '../domain/authority.js'
import type { ActivityOf } from '../vocabulary/activity.js'
import { done, type Outcome, refused } from './outcome.js'
import { countOnce, type Received } from './received.js'
import { inTurn } from './turn.js'

type Answer = ActivityOf<'Accept' | 'Reject'>

const QUESTION = /\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64})\/quote_requests\/(\d{1,19})$/

/** The id of the status here that the answer is about; null when it answers something else. */
export const quoteAsked = (ctx: Context, { object, inner }: Answer): string | null => {
  const id = inner?.id ?? object.id
  if (id === null || !isOurs(id, ctx.self.ownHosts)) return null
  const status = QUESTION.exec(id)?.[1]
  return status !== undefined && isId(status) ? status : null
}

/** Only the quoted author may answer; statuses knows who that is. */
export const answerQuestion = async (
  ctx: Context,
  { activity, actor, letter }: Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor' | 'letter'>,
  status: string,
): Promise<Outcome> => {
  const accepts = activity.type === 'Accept'
  if (accepts && activity.result === null) return refused('no-stamp')
  // A Reject can only take away.
  const may = () => ctx.reader.budgets.mayAnswer(status, actor.id)
  if (accepts && !(await countOnce(ctx, letter, 'answer', may))) return refused('answered-too-often')
  const stamp = accepts ? activity.result : null
  return inTurn(ctx, { activity, letter }, { thing: `quote ${status}` }, async () => {
    const { outcome } = await ctx.call(answerQuote, { actor: actor.id, status, stamp })
    if (outcome === 'refused') return refused('never-asked')
    return done(outcome === 'done' ? null : outcome)
  })
}
