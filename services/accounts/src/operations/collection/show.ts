/** A collection with its keeper and the accounts in it. */
import { collectionShow } from '@murmuration/contracts/accounts'
import { isOpen } from '../../domain/collection.js'
import { handle } from '../../doors.js'
import { accountValues } from '../../views/account-cards.js'
import { collectionOf, visibleItems } from '../../views/collection.js'
import { visibleCollection } from '../../views/own-collection.js'

export const showCollection = handle(collectionShow, async (ctx, viewer, { id }) => {
  const row = await visibleCollection(ctx.db, viewer?.id ?? null, id, ctx.clock.date())
  const items = (await visibleItems(ctx, [row], viewer?.id ?? null)).get(row.id) ?? []
  const named = [row.account_id, ...items.filter((item) => isOpen(item.state)).map((item) => item.account_id)]
  const accounts = await accountValues(ctx, named)
  return {
    collection: collectionOf(row, items, ctx.site),
    accounts: [...new Set(named)].flatMap((one) => accounts.get(one) ?? []),
  }
})
