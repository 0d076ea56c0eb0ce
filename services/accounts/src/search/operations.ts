/** Handlers of account search. */
import { accountFind, accountSearch } from '@murmuration/contracts/accounts'
import { jsonArray } from '@murmuration/contracts/kit'
import { cardsInOrder } from '../core/account-cards.js'
import { handle } from '../handlers.js'
import { findAccounts } from './find.js'

/** Accounts with words that begin with the words of the query; exact handles first. */
export const searchForAccounts = handle(accountSearch, async (ctx, viewer, input) => {
  const ids = await findAccounts(ctx, { ...input, viewer: viewer.id, exact: false })
  return jsonArray(await cardsInOrder(ctx, ids))
})

/** Ids of accounts that a search means, best first. */
export const findAccountIds = handle(accountFind, async (ctx, _viewer, wish) => ({
  ids: await findAccounts(ctx, wish),
}))
