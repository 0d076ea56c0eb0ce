/** Jobs that apply decisions of staff to accounts. */
import { settleAccount as settleAccountJob, settleAccounts as settleAccountsJob } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { settleAccountNow, settleAccountsNow } from './settle.js'

/** Applies the last decision about one state of an account. */
export const settleAccount = work(settleAccountJob, (ctx, { account, state }) => settleAccountNow(ctx, account, state))

/** Applies the last decisions about one state of several accounts. */
export const settleAccounts = work(settleAccountsJob, (ctx, { accounts, state }) =>
  settleAccountsNow(ctx, accounts, state),
)
