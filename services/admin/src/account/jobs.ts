/** Applies final decisions about accounts that the request could not apply. */
import { settleVerdict, settleVerdicts } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { isDecided } from './store.js'
import { applyVerdict, applyVerdicts } from './verdict.js'

/** Stops if the end of the suspension revoked the deletion. */
export const settle = work(settleVerdict, async (ctx, { account, verdict }) => {
  if (await isDecided(ctx.db, account, verdict)) await applyVerdict(ctx, account, verdict)
})

export const settleSeveral = work(settleVerdicts, (ctx, { accounts, verdict }) => applyVerdicts(ctx, accounts, verdict))
