/** Accounts with words that begin with the words of the query; exact handles first. */
import { accountSearch } from '@murmuration/contracts/accounts'
import { jsonArray } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { cardsInOrder } from '../../views/account-cards.js'
import { findAccounts } from '../../views/search.js'

export const searchPeople = handle(accountSearch, async (ctx, viewer, input) => {
  const ids = await findAccounts(ctx, { ...input, viewer: viewer.id, exact: false })
  return jsonArray(await cardsInOrder(ctx, ids))
})
