/** Handles the Accept and Reject of a local QuoteRequest (FEP-044f). */

import type { ActivityOf } from '@murmuration/activitypub/vocabulary/activity'
import { hrefOf, idOf, type JsonObject, prop, typesOf } from '@murmuration/activitypub/vocabulary/json'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { isId } from '@murmuration/contracts/kit'
import { respondToQuote } from '@murmuration/contracts/statuses'
import type { Context } from '../../context.js'
import { isOurs } from '../../core/activity/authority.rules.js'
import { withoutNeedlessParts } from '../../core/address/own-address.rules.js'
import { inOrder } from './ordering.js'
import { done, type Outcome, refused } from './outcome.js'
import { countOnce, type Received, statusAt } from './received.js'

type AcceptOrReject = ActivityOf<'Accept' | 'Reject'>

/** Path of the id of a local QuoteRequest. The group is the id of the quoting status. */
const QUESTION = /\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64})\/quote_requests\/(\d{1,19})$/

const isRequest = (node: JsonObject): boolean => typesOf(node).length === 0 || typesOf(node).includes('QuoteRequest')

/**
 * Address of the quoting status in a copy of the QuoteRequest: its id, its page, or the id of its Create. WordPress sends a copy
 * without the id of the request.
 */
const instrumentOf = ({ node }: AcceptOrReject['object']): Uri | null => {
  if (node === null || !isRequest(node)) return null
  const instrument = prop(node, 'instrument')
  return idOf(instrument) ?? hrefOf(instrument)
}

/** Id of the local quoting status; null if the activity is not about a local QuoteRequest. */
export const requestedQuote = async (
  ctx: Pick<Context, 'accountCache'> & { self: Pick<Context['self'], 'ownHosts'> },
  { object, inner }: Pick<AcceptOrReject, 'object' | 'inner'>,
): Promise<string | null> => {
  const isHere = (uri: Uri | null): uri is Uri => uri !== null && isOurs(uri, ctx.self.ownHosts)
  const id = inner?.id ?? object.id
  const named = isHere(id) ? QUESTION.exec(withoutNeedlessParts(id, ctx.self.ownHosts))?.[1] : undefined
  if (named !== undefined && isId(named)) return named
  const instrument = instrumentOf(object)
  const status = isHere(instrument) ? await statusAt(ctx, withoutNeedlessParts(instrument, ctx.self.ownHosts)) : null
  return status?.local && status.reblog_of === null ? status.id : null
}

/** Applies the Accept or Reject. The statuses service checks that the actor is the author of the quoted status. */
export const applyQuoteResponse = async (
  ctx: Context,
  { activity, actor, delivery }: Pick<Received<'Accept' | 'Reject'>, 'activity' | 'actor' | 'delivery'>,
  status: string,
): Promise<Outcome> => {
  const accepts = activity.type === 'Accept'
  if (accepts && activity.result === null) return refused('no-authorization')
  // A Reject has no rate limit, because it only removes an approval.
  const may = () => ctx.fetcher.limits.mayAccept(status, actor.id)
  if (accepts && !(await countOnce(ctx, delivery, 'answer', may))) return refused('answered-too-often')
  const stamp = accepts ? activity.result : null
  return inOrder(ctx, { activity, delivery }, { object: `quote ${status}` }, async () => {
    const { outcome } = await ctx.call(respondToQuote, { actor: actor.id, status, stamp })
    if (outcome === 'refused') return refused('never-asked')
    return done(outcome === 'done' ? null : outcome)
  })
}
