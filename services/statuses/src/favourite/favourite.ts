/** Stores and deletes favourites, with counter and event, in the caller's transaction. */
import { favouriteCreated, favouriteRemoved } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { addTo } from '../core/status/count.store.js'
import { removeReaction } from '../emoji-reaction/index.js'
import { deleteFavourite, type Favourite, insertFavourite } from './store.js'

/** Fields of the favourited status for event payloads. */
export interface Favourited {
  id: string
  uri: string
  author: string
  authorLocal: boolean
}

const favouriteEvent = (status: Favourited, one: Favourite, byLocal: boolean) => ({
  id: one.id,
  status: status.id,
  statusUri: status.uri,
  author: status.author,
  authorLocal: status.authorLocal,
  by: one.account_id,
  byLocal,
  uri: one.uri,
})

/** Stores a favourite. Returns false if the account has favourited the status already. The caller has locked the status. */
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
  await ctx.announce(tx, favouriteCreated, favouriteEvent(status, one, by.local))
  return true
}

/** Deletes a favourite. Returns false if there is none, or if its activity is not in `only`. */
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
  // A local account has no emoji reaction that could be removed.
  if (!by.local) await removeReaction(tx, by.id, status.id)
  await ctx.announce(tx, favouriteRemoved, favouriteEvent(status, one, by.local))
  return true
}
