/** Applies final decisions about accounts whose request could not. */
import { settleVerdict } from '@murmuration/contracts/admin'
import { work } from '../doors.js'
import { applyVerdict } from './verdict.js'

export const settle = work(settleVerdict, (ctx, { account, verdict }) => applyVerdict(ctx, account, verdict))
