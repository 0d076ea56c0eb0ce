/** Handlers of follow suggestions and the profile directory. */
import { dismissSuggestion, listDirectory, listSuggestions, suggestionAccounts } from '@murmuration/contracts/accounts'
import { fail, jsonArray } from '@murmuration/contracts/kit'
import { requireLoaded } from '@murmuration/kernel'
import { accountValues, cardsInOrder } from '../core/account/cards.js'
import { handle } from '../handlers.js'
import { directoryPage } from './directory.store.js'
import { insertDismissal } from './store.js'
import { suggestionsFor } from './suggest.js'

/** Returns suggested accounts for the viewer, with the reasons. */
export const handleListSuggestions = handle(listSuggestions, async (ctx, viewer, page) => {
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

/** Returns suggested accounts for the viewer, without the reasons. */
export const listSuggestedAccounts = handle(suggestionAccounts, async (ctx, viewer, page) => {
  const found = await suggestionsFor(ctx, viewer.id, page)
  return jsonArray(
    await cardsInOrder(
      ctx,
      found.map((one) => one.id),
    ),
  )
})

/** Stores that an account is not suggested to the viewer again. */
export const dismiss = handle(dismissSuggestion, async (ctx, viewer, { account_id }) => {
  await ctx.db.tx((tx) => insertDismissal(tx, viewer.id, account_id))
  return {}
})

/** Returns a page of the profile directory. */
export const list = handle(listDirectory, async (ctx, viewer, { order, ...query }) => {
  requireLoaded(ctx.policy)
  if (!ctx.policy.settings().profile_directory) throw fail('not_found', 'Not Found')
  const ids = await directoryPage(ctx.db, {
    ...query,
    newest: order === 'new',
    viewer: viewer?.id ?? null,
    at: ctx.clock.date(),
  })
  return jsonArray(await cardsInOrder(ctx, ids))
})
