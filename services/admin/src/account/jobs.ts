/** Applies final decisions about accounts that the request could not apply. */
import { settleVerdict, settleVerdicts } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { applyVerdict, applyVerdicts } from './verdict.js'

export const settle = work(settleVerdict, (ctx, { account, verdict }) => applyVerdict(ctx, account, verdict))

export const settleSeveral = work(settleVerdicts, (ctx, { accounts, verdict }) => applyVerdicts(ctx, accounts, verdict))
