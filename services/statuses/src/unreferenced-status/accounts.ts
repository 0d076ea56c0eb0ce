/** Requests from the accounts service which accounts are local, and which have local followers. */
import { findLocalAndFollowed } from '@murmuration/contracts/accounts'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import type { FindAccounts } from './find.js'

/** Maximum number of accounts in one request. */
const MAX_ACCOUNTS = 1_000

export const findAccountsOf =
  (ctx: Pick<Context, 'call'>): FindAccounts =>
  async (accounts) => {
    const results = await Promise.all(
      chunk(accounts, MAX_ACCOUNTS).map((ids) => ctx.call(findLocalAndFollowed, { ids })),
    )
    return {
      local: new Set(results.flatMap((result) => result.local)),
      followed: new Set(results.flatMap((result) => result.followed)),
    }
  }
