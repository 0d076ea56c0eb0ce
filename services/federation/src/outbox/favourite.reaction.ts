/** Event handlers that send the Like of a remote status, and its Undo. */

import { type OutgoingActivity, writeLike } from '@murmuration/activitypub/vocabulary/write-activity'
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { favouriteCreated, favouriteRemoved } from '@murmuration/contracts/statuses'
import { react } from '../handlers.js'
import { pairOf, sendActivity, sendUndo } from './direct-activity.js'

/** Writes the Like of a remote status. */
const writeOwnLike = (
  e: { id: string; uri: string | null; statusUri: string },
  our: AccountRecord,
  their: AccountRecord,
): OutgoingActivity =>
  writeLike({ id: e.uri ?? `${our.uri}#likes/${e.id}`, actor: our.uri, object: e.statusUri, author: their.uri })

/** Publishes a Like to the remote author. */
export const onFavouriteCreated = react(favouriteCreated, 'on-favourite-created', async (ctx, e) => {
  if (!e.byLocal || e.authorLocal) return
  const pair = await pairOf(ctx, e.by, e.author)
  if (pair === null) return
  const { our, their } = pair
  await sendActivity(ctx, { actorId: our.id, seq: e.eventId, activity: writeOwnLike(e, our, their), their })
})

/** Publishes the Undo of a Like to the remote author. */
export const onFavouriteRemoved = react(favouriteRemoved, 'on-favourite-removed', async (ctx, e) => {
  if (!e.byLocal || e.authorLocal) return
  const pair = await pairOf(ctx, e.by, e.author)
  if (pair === null) return
  const { our, their } = pair
  await sendUndo(ctx, { actorId: our.id, seq: e.eventId, activity: writeOwnLike(e, our, their), their })
})
