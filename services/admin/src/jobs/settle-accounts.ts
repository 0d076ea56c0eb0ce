/** Brings one state of several accounts to what staff decided last. */
import { settleAccounts as settleAccountsJob } from '@murmuration/contracts/admin'
import { settleAccountsNow } from '../changes/settle-account.js'
import { work } from '../doors.js'

export const settleAccounts = work(settleAccountsJob, (ctx, { accounts, state }) =>
  settleAccountsNow(ctx, accounts, state),
)
