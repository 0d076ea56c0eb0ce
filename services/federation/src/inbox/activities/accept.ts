/** Accept: a remote account accepts a request of a local account to follow it, quote it, reply to it, or add it to a collection. */

import { applyFeatureResponse } from './feature-response.js'
import { applyFollowResponse } from './follow-response.js'
import { applyQuoteResponse, requestedQuote } from './quote-response.js'
import type { Handler } from './received.js'
import { applyRelayResponse } from './relay.js'
import { applyReplyResponse } from './reply-approval.js'

export const accept: Handler<'Accept'> = async (ctx, received) => {
  const relay = await applyRelayResponse(ctx, received)
  if (relay !== null) return relay
  const status = await requestedQuote(ctx, received.activity)
  if (status !== null) return applyQuoteResponse(ctx, received, status)
  const outcome = (await applyFeatureResponse(ctx, received)) ?? (await applyReplyResponse(ctx, received))
  return outcome ?? applyFollowResponse(ctx, received, 'accept-follow')
}
