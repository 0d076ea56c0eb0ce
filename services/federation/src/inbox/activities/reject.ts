/** Reject: a remote account rejects a request of a local account, or ends an accepted follow. */

import { applyFeatureResponse } from './feature-response.js'
import { applyFollowResponse } from './follow-response.js'
import { applyQuoteResponse, requestedQuote } from './quote-response.js'
import type { Handler } from './received.js'
import { applyRelayResponse } from './relay.js'
import { applyReplyResponse } from './reply-approval.js'

export const reject: Handler<'Reject'> = async (ctx, received) => {
  const relay = await applyRelayResponse(ctx, received)
  if (relay !== null) return relay
  const status = await requestedQuote(ctx, received.activity)
  if (status !== null) return applyQuoteResponse(ctx, received, status)
  const outcome = (await applyFeatureResponse(ctx, received)) ?? (await applyReplyResponse(ctx, received))
  return outcome ?? applyFollowResponse(ctx, received, 'reject-follow')
}
