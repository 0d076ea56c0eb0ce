/** Publishes the Follow by which this server joins a relay, and the Undo by which it leaves the relay. */

import { publicCollection } from '@murmuration/activitypub/vocabulary/uri'
import { type OutgoingActivity, writeFollow, writeUndo } from '@murmuration/activitypub/vocabulary/write-activity'
import type { Tx } from '@murmuration/db'
import { INSTANCE_ACCOUNT } from '../core/address/self.js'
import type { RelayRow } from '../core/relay/store.js'
import { type Publishing, publish } from '../outbox/index.js'

/**
 * The Follow by which the instance actor joins a relay. The object of the Follow is the relay's actor, or the public
 * collection (style `inbox`).
 */
const ourFollow = (ctx: Publishing, relay: RelayRow, id: string): OutgoingActivity =>
  writeFollow({
    id,
    actor: ctx.self.instanceActor,
    object: relay.style === 'actor' ? (relay.actor_uri ?? relay.url) : publicCollection,
  })

/** Further database writes in the transaction that stores the Follow or Undo. */
export type FurtherWrites = (tx: Tx) => Promise<unknown>

const send = (
  ctx: Publishing,
  relay: RelayRow,
  it: { activity: OutgoingActivity; about: string; inTransaction: FurtherWrites },
): Promise<boolean> =>
  publish(ctx, {
    actorId: INSTANCE_ACCOUNT,
    seq: ctx.ids.next(),
    ...it,
    uri: it.activity.id,
    kind: it.activity.type,
    inboxes: [relay.inbox_url],
  })

export const sendFollow = (
  ctx: Publishing,
  relay: RelayRow,
  id: string,
  inTransaction: FurtherWrites,
): Promise<boolean> => send(ctx, relay, { activity: ourFollow(ctx, relay, id), about: id, inTransaction })

export const sendUndoOfFollow = (
  ctx: Publishing,
  relay: RelayRow,
  id: string,
  inTransaction: FurtherWrites,
): Promise<boolean> => send(ctx, relay, { activity: writeUndo(ourFollow(ctx, relay, id)), about: id, inTransaction })
