/** Accounts the viewer may want to follow, with the reasons. */
import { suggestionList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { accountValues } from '../../views/account-cards.js'
import { suggestionsFor } from '../../views/suggestion.js'

export const listSuggestions = handle(suggestionList, async (ctx, viewer, page) => {
  const found = await suggestionsFor(ctx, viewer.id, page)
  const accounts = await accountValues(
    ctx,
    found.map((one) => one.id),
  )
  return found.flatMap(({ id, source, sources }) => {
    const account = accounts.get(id)
    return account ? [{ source, sources, account }] : []
  })
})
