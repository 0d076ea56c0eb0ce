/** Brings one state of an account to what staff decided last. */
import { settleAccount as settleAccountJob } from '@murmuration/contracts/admin'
import { settleAccountNow } from '../changes/settle-account.js'
import { work } from '../doors.js'

export const settleAccount = work(settleAccountJob, (ctx, { account, state }) => settleAccountNow(ctx, account, state))
