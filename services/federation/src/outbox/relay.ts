/** Publishes public statuses to relays: the activity itself (style `inbox`), or a reblog by the instance actor (style `actor`). */

import { publicCollection } from '@murmuration/activitypub/vocabulary/uri'
import { writeAnnounce } from '@murmuration/activitypub/vocabulary/write-activity'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import type { Context } from '../context.js'
import { statusUriOf } from '../core/activity/compaction.rules.js'
import { INSTANCE_ACCOUNT } from '../core/address/self.js'
import { isRelayed } from '../core/relay/rules.js'
import { relayInboxesOf } from '../core/relay/store.js'
import { type Publishing, publish } from './publish.js'

type Relayed = Parameters<typeof isRelayed>[0]

/** Inboxes of relays of the style `inbox`; none for a `status` that relays do not receive. */
export const relayInboxes = (ctx: Pick<Context, 'db'>, status?: Relayed): Promise<string[]> =>
  status === undefined || isRelayed(status) ? relayInboxesOf(ctx.db, 'inbox') : Promise.resolve([])

/** Publishes a reblog of a new status by the instance actor to relays of the style `actor`. */
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
    about: statusUriOf(status.uri),
    inboxes,
  })
}
