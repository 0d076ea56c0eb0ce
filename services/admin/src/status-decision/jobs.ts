/** Applies decisions about statuses that the request could not apply. */
import { enforceStatusDecision } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { enforceStatusDecisionNow } from './enforce.js'

export const enforceStatusDecisionWork = work(enforceStatusDecision, (ctx, { strike }) =>
  enforceStatusDecisionNow(ctx, strike),
)
