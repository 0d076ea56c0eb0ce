/** Favourites: the row, the counter and the news of it, in the caller’s transaction. */
import { favouriteCreated, favouriteRemoved } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { addTo } from '../core/status/count.store.js'
import { dropReaction } from '../emoji-reaction/index.js'
import { deleteFavourite, type Favourite, insertFavourite } from './store.js'

/** Fields of the favourited status for event payloads. */
export interface Favourited {
  id: string
  uri: string
  author: string
  authorLocal: boolean
}

const told = (status: Favourited, one: Favourite, byLocal: boolean) => ({
  id: one.id,
  status: status.id,
  statusUri: status.uri,
  author: status.author,
  authorLocal: status.authorLocal,
  by: one.account_id,
  byLocal,
  uri: one.uri,
})

/** Favourites once; false when it had been done before. The caller made sure that the status lives. */
export const favourite = async (
  ctx: Context,
  tx: Tx,
  status: Favourited,
  by: { id: string; local: boolean },
  uri: string | null,
): Promise<boolean> => {
  const one = await insertFavourite(tx, { id: ctx.ids.next(), account_id: by.id, status_id: status.id, uri })
  if (!one) return false
  await addTo(tx, 'favourites', status.id, 1)
  await ctx.announce(tx, favouriteCreated, told(status, one, by.local))
  return true
}

/** Takes a favourite back; false when there was none, or none that one of the activities `only` made. */
export const unfavourite = async (
  ctx: Context,
  tx: Tx,
  status: Favourited,
  by: { id: string; local: boolean },
  only: readonly string[] | null = null,
): Promise<boolean> => {
  const one = await deleteFavourite(tx, by.id, status.id, only)
  if (!one) return false
  await addTo(tx, 'favourites', status.id, -1)
  // Only accounts elsewhere react.
  if (!by.local) await dropReaction(tx, by.id, status.id)
  await ctx.announce(tx, favouriteRemoved, told(status, one, by.local))
  return true
}
