/** Jobs that apply decisions of staff to accounts. */
import { enforceAccountDecision, enforceAccountDecisions } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { enforceDecision, enforceDecisions } from './enforce.js'

/** Applies the last decision about one state of an account. */
export const enforceAccountDecisionWork = work(enforceAccountDecision, (ctx, { account, state }) =>
  enforceDecision(ctx, account, state),
)

/** Applies the last decisions about one state of several accounts. */
export const enforceAccountDecisionsWork = work(enforceAccountDecisions, (ctx, { accounts, state }) =>
  enforceDecisions(ctx, accounts, state),
)
