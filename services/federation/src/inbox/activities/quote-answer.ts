/** Accept and Reject of a local QuoteRequest (FEP-044f). */

import type { ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import { idOf, prop, typesOf } from '@murmuration/activitypub/vocabulary/loose'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { isId } from '@murmuration/contracts/kit'
import { answerQuote } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/authority.rules.js'
import { inOrder } from './ordering.js'
import { done, type Outcome, refused } from './outcome.js'
import { countOnce, type Received } from './received.js'

type Answer = ActivityOf<'Accept' | 'Reject'>

/** Path of the id of a local QuoteRequest. The group is the id of the quoting status. */
const QUESTION = /\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64})\/quote_requests\/(\d{1,19})$/

/** Path of the URI of a local status. The group is its id. */
const STATUS = /\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64})\/statuses\/(\d{1,19})$/

/** URI of the quoting status in a copy of the QuoteRequest. WordPress sends a copy without the id of the request. */
const instrumentOf = ({ node }: Answer['object']): Uri | null =>
  node !== null && typesOf(node).includes('QuoteRequest') ? idOf(prop(node, 'instrument')) : null

/** Id of the local quoting status; null if the activity is not about a local QuoteRequest. */
export const quoteAsked = (
  ctx: { self: Pick<Context['self'], 'ownHosts'> },
  { object, inner }: Pick<Answer, 'object' | 'inner'>,
): string | null => {
  const isHere = (uri: Uri | null): uri is Uri => uri !== null && isOurs(uri, ctx.self.ownHosts)
  const id = inner?.id ?? object.id
  const instrument = instrumentOf(object)
  const status =
    (isHere(id) ? QUESTION.exec(id)?.[1] : undefined) ?? (isHere(instrument) ? STATUS.exec(instrument)?.[1] : undefined)
  return status !== undefined && isId(status) ? status : null
}

/** Applies the Accept or Reject. The statuses service checks that the actor is the author of the quoted status. */
export const answerQuestion = async (
  ctx: Context,
  { activity, actor, delivery }: Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor' | 'delivery'>,
  status: string,
): Promise<Outcome> => {
  const accepts = activity.type === 'Accept'
  if (accepts && activity.result === null) return refused('no-stamp')
  // A Reject has no rate limit, because it only removes an approval.
  const may = () => ctx.reader.budgets.mayAnswer(status, actor.id)
  if (accepts && !(await countOnce(ctx, delivery, 'answer', may))) return refused('answered-too-often')
  const stamp = accepts ? activity.result : null
  return inOrder(ctx, { activity, delivery }, { object: `quote ${status}` }, async () => {
    const { outcome } = await ctx.call(answerQuote, { actor: actor.id, status, stamp })
    if (outcome === 'refused') return refused('never-asked')
    return done(outcome === 'done' ? null : outcome)
  })
}
