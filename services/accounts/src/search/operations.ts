/** Handlers of account search. */
import { findAccount, searchAccounts } from '@murmuration/contracts/accounts'
import { jsonArray } from '@murmuration/contracts/kit'
import { cardsInOrder } from '../core/account/cards.js'
import { handle } from '../handlers.js'
import { findAccounts } from './find.js'

/** Returns accounts whose words begin with the words of the query. An exact handle comes first. */
export const searchForAccounts = handle(searchAccounts, async (ctx, viewer, input) => {
  const ids = await findAccounts(ctx, { ...input, viewer: viewer.id, exact: false })
  return jsonArray(await cardsInOrder(ctx, ids))
})

/** Returns ids of accounts that match a query, best first. */
export const findAccountIds = handle(findAccount, async (ctx, _viewer, query) => ({
  ids: await findAccounts(ctx, query),
}))
