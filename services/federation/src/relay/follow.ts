/** Activities by which the server joins a relay and leaves it. */

import { publicCollection } from '@murmuration/activitypub/vocabulary/uri'
import { type OutgoingActivity, writeFollow, writeUndo } from '@murmuration/activitypub/vocabulary/write-activity'
import type { RelayRow } from '../core/relay.store.js'
import { INSTANCE_ACCOUNT } from '../core/self.js'
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

const send = (ctx: Publishing, relay: RelayRow, activity: OutgoingActivity, about: string): Promise<boolean> =>
  publish(ctx, {
    actorId: INSTANCE_ACCOUNT,
    seq: ctx.ids.next(),
    activity,
    uri: activity.id,
    kind: activity.type,
    about,
    inboxes: [relay.inbox_url],
  })

export const sendFollow = (ctx: Publishing, relay: RelayRow, id: string): Promise<boolean> =>
  send(ctx, relay, ourFollow(ctx, relay, id), id)

export const sendUndoOfFollow = (ctx: Publishing, relay: RelayRow, id: string): Promise<boolean> =>
  send(ctx, relay, writeUndo(ourFollow(ctx, relay, id)), id)
