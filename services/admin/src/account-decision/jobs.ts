/** Jobs that bring accounts to what staff decided. */
import { settleAccount as settleAccountJob, settleAccounts as settleAccountsJob } from '@murmuration/contracts/admin'
import { work } from '../handlers.js'
import { settleAccountNow, settleAccountsNow } from './settle.js'

/** Brings one state of an account to what staff decided last. */
export const settleAccount = work(settleAccountJob, (ctx, { account, state }) => settleAccountNow(ctx, account, state))

/** Brings one state of several accounts to what staff decided last. */
export const settleAccounts = work(settleAccountsJob, (ctx, { accounts, state }) =>
  settleAccountsNow(ctx, accounts, state),
)
