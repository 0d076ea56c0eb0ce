/** What is said to relays: that we want to take part, that we do no longer, and what people here publish. */

import { publicCollection } from '@murmuration/activitypub/vocabulary/uri'
import {
  type OutgoingActivity,
  writeAnnounce,
  writeFollow,
  writeUndo,
} from '@murmuration/activitypub/vocabulary/write-activity'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import type { Context } from '../context.js'
import { isRelayed } from '../domain/relay.js'
import { INSTANCE_ACCOUNT } from '../self.js'
import { type RelayRow, relayInboxesOf } from '../store/relay.js'
import { type Publishing, publish } from './publish.js'
import { statusThing } from './status.js'

type Relayed = Parameters<typeof isRelayed>[0]

/** The Follow by which the server joins: of the relay's actor, or of everything public at its inbox. */
const ourFollow = (ctx: Publishing, relay: RelayRow, id: string): OutgoingActivity =>
  writeFollow({
    id,
    actor: ctx.self.instanceActor,
    object: relay.style === 'actor' ? (relay.actor_uri ?? relay.url) : publicCollection,
  })

const tell = (ctx: Publishing, relay: RelayRow, activity: OutgoingActivity, about: string): Promise<boolean> =>
  publish(ctx, {
    actorId: INSTANCE_ACCOUNT,
    seq: ctx.ids.next(),
    activity,
    uri: activity.id,
    kind: activity.type,
    about,
    inboxes: [relay.inbox_url],
  })

/** Ids of our requests to relays begin so. */
export const followPrefix = (ctx: Pick<Context, 'self'>): string => `${ctx.self.instanceActor}#relays/`

export const tellFollow = (ctx: Publishing, relay: RelayRow, id: string): Promise<boolean> =>
  tell(ctx, relay, ourFollow(ctx, relay, id), id)

export const tellLeave = (ctx: Publishing, relay: RelayRow, id: string): Promise<boolean> =>
  tell(ctx, relay, writeUndo(ourFollow(ctx, relay, id)), id)

/** Inboxes of relays that take activities as they are. */
export const relayInboxes = (ctx: Pick<Context, 'db'>, status?: Relayed): Promise<string[]> =>
  status === undefined || isRelayed(status) ? relayInboxesOf(ctx.db, 'inbox') : Promise.resolve([])

/** Boosts a new status for relays that take boosts, in the name of the server. */
export const announceToRelays = async (
  ctx: Publishing,
  status: Relayed & { id: string; uri: string; created_at: string },
  seq: string,
): Promise<void> => {
  const inboxes = isRelayed(status) ? await relayInboxesOf(ctx.db, 'actor') : []
  if (inboxes.length === 0) return
  const actor = ctx.self.instanceActor
  const activity = writeAnnounce({
    uri: `${actor}#announces/${status.id}`,
    actor,
    object: status.uri,
    publishedAt: status.created_at,
    to: [actorAddresses(actor).followers],
    cc: [publicCollection],
  })
  await publish(ctx, {
    actorId: INSTANCE_ACCOUNT,
    seq,
    activity,
    uri: activity.id,
    kind: 'Announce',
    about: statusThing(status.uri),
    inboxes,
  })
}
