/** Applies final decisions about accounts that the request could not apply. */
import { applyFinalDecision, applyFinalDecisions } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { applyDecision, applyDecisions } from './decide.js'
import { isDecided } from './store.js'

/** Applies a decision unless it was deleted: the end of a suspension deletes the decision to delete the account. */
export const applyFinalDecisionWork = work(applyFinalDecision, async (ctx, { account, verdict: decision }) => {
  if (await isDecided(ctx.db, account, decision)) await applyDecision(ctx, account, decision)
})

export const applyFinalDecisionsWork = work(applyFinalDecisions, (ctx, { accounts, verdict: decision }) =>
  applyDecisions(ctx, accounts, decision),
)
