/** Ids of accounts that a search means, best first. */
import { accountFind } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { findAccounts } from '../../views/search.js'

export const findAccountIds = handle(accountFind, async (ctx, _viewer, wish) => ({
  ids: await findAccounts(ctx, wish),
}))
