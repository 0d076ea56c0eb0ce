/** Publishes pins and unpins of local statuses to remote followers. */

import { writeAdd, writeRemove } from '@murmuration/activitypub/vocabulary/write-activity'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { localActors } from '@murmuration/contracts/accounts'
import type { Visibility } from '@murmuration/contracts/entities'
import type { Context } from '../context.js'
import { followerInboxes } from './audience.js'
import { publish } from './publish.js'
import { relayInboxes } from './relay.js'

export interface PinChange {
  id: string
  account: string
  uri: string
  visibility: Visibility
  eventId: string
}

/**
 * Publishes the Add or Remove of a pinned status. Pins of non-public statuses are not sent, because the `featured`
 * collection lacks them.
 */
export const publishPin = async (ctx: Context, what: 'Add' | 'Remove', e: PinChange): Promise<void> => {
  if (e.visibility !== 'public' && e.visibility !== 'unlisted') return
  const { actors } = await ctx.call(localActors, { ids: [e.account] })
  const [account] = actors
  if (!account || account.domain !== null || account.suspended) return
  const { featured, followers } = actorAddresses(account.uri)
  const about = `${account.uri}#pins/${e.id}`
  const write = what === 'Add' ? writeAdd : writeRemove
  const activity = write({
    id: `${about}/${what.toLowerCase()}`,
    actor: account.uri,
    featured,
    followers,
    object: e.uri,
  })
  await publish(ctx, {
    actorId: account.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: what,
    about,
    inboxes: [...(await followerInboxes(ctx, account.id)), ...(await relayInboxes(ctx))],
  })
}
