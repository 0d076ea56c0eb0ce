/** Somebody elsewhere takes back that they agreed to be in a collection: they are in it no more, and are not put back. */
import { withdrawCollectionItem } from '@murmuration/contracts/accounts'
import { announceGone } from '../../changes/collection.js'
import { handle } from '../../doors.js'
import { itemByAuthorization, setItemState } from '../../store/collection-item.js'
import { lockName } from '../../store/lock.js'

export const withdrawItem = handle(withdrawCollectionItem, async (ctx, _viewer, { actor, authorization }) => {
  const item = await itemByAuthorization(ctx.db, authorization)
  if (item?.account_id !== actor) return { outcome: 'unknown' as const }
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${item.collection_id}`)
    if (await setItemState(tx, item.id, 'revoked')) await announceGone(ctx, tx, [{ ...item, state: 'revoked' }])
  })
  return { outcome: 'done' as const }
})
