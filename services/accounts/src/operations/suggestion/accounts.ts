/** Accounts the viewer may want to follow, without the reasons. */
import { suggestionAccounts } from '@murmuration/contracts/accounts'
import { jsonArray } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { cardsInOrder } from '../../views/account-cards.js'
import { suggestionsFor } from '../../views/suggestion.js'

export const listSuggestedAccounts = handle(suggestionAccounts, async (ctx, viewer, page) => {
  const found = await suggestionsFor(ctx, viewer.id, page)
  return jsonArray(
    await cardsInOrder(
      ctx,
      found.map((one) => one.id),
    ),
  )
})
