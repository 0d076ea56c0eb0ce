/** Event handlers that send the Block of a remote account, and its Undo. */

import { type OutgoingActivity, writeBlock } from '@murmuration/activitypub/vocabulary/write-activity'
import { type AccountRecord, blockCreated, blockRemoved } from '@murmuration/contracts/accounts'
import { react } from '../handlers.js'
import { pairOf, sendActivity, sendUndo } from './direct-activity.js'
import type { Relation } from './follow.js'

/** Writes the Block of a remote account. */
const writeOwnBlock = (e: Relation, our: AccountRecord, their: AccountRecord): OutgoingActivity =>
  writeBlock({ id: e.uri ?? `${our.uri}#blocks/${e.id}`, actor: our.uri, object: their.uri })

/** Publishes a Block to the server of the blocked account. */
export const onBlockCreated = react(blockCreated, 'on-block-created', async (ctx, e) => {
  if (!e.fromLocal || e.toLocal) return
  const pair = await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  await sendActivity(ctx, { actorId: our.id, seq: e.eventId, activity: writeOwnBlock(e, our, their), their })
})

/** Publishes the Undo of a Block to the server of the unblocked account. */
export const onBlockRemoved = react(blockRemoved, 'on-block-removed', async (ctx, e) => {
  if (!e.fromLocal || e.toLocal) return
  const pair = await pairOf(ctx, e.from, e.to)
  if (pair === null) return
  const { our, their } = pair
  await sendUndo(ctx, { actorId: our.id, seq: e.eventId, activity: writeOwnBlock(e, our, their), their })
})
