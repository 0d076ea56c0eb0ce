/** Somebody elsewhere takes back that they agreed to be in a collection: they are in it no more, and are not put back. */
import { withdrawCollectionItem } from '@murmuration/contracts/accounts'
import { announceGone } from '../../changes/collection.js'
import { handle } from '../../doors.js'
import { itemsByAuthorization, revokeItems } from '../../store/collection-item.js'
import { lockNames } from '../../store/lock.js'

/** Others may name the same address in collections of theirs, as often as they like. */
const MOST = 100

export const withdrawItem = handle(withdrawCollectionItem, async (ctx, _viewer, { actor, authorization }) => {
  const items = await itemsByAuthorization(ctx.db, authorization, actor, MOST)
  if (items.length === 0) return { outcome: 'unknown' as const }
  await ctx.db.tx(async (tx) => {
    await lockNames(
      tx,
      items.map((item) => `collection ${item.collection_id}`),
    )
    const ids = items.map((item) => item.id)
    await announceGone(ctx, tx, await revokeItems(tx, ids))
  })
  return { outcome: 'done' as const }
})
