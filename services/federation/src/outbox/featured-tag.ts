/** Publishes the Add or Remove of a featured hashtag to remote followers, and records a profile change. */

import { writeAdd, writeRemove } from '@murmuration/activitypub/vocabulary/write-activity'
import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { localActors } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { followerInboxes } from './audience.js'
import { recordProfileChange } from './profile-change.store.js'
import { publish } from './publish.js'
import { relayInboxes } from './relay.js'

/** Delay of the Update after the last change, so that several changes cause one Update. */
const QUIET_MS = 5_000

export interface TagChange {
  id: string
  account: string
  /** The normalised hashtag; `name` is the hashtag as the account wrote it. */
  tag: string
  name: string
  eventId: string
  at: number
}

export const sendFeaturedTag = async (ctx: Context, what: 'Add' | 'Remove', e: TagChange): Promise<void> => {
  const { actors } = await ctx.call(localActors, { ids: [e.account] })
  const [account] = actors
  if (!account || account.domain !== null || account.suspended) return
  const { featured, followers } = actorAddresses(account.uri)
  const write = what === 'Add' ? writeAdd : writeRemove
  const activity = write({
    id: `${account.uri}#featured-tags/${e.id}/${what.toLowerCase()}`,
    actor: account.uri,
    featured,
    followers,
    object: { name: e.name, url: `${account.url}/tagged/${encodeURIComponent(e.tag)}` },
  })
  await publish(ctx, {
    actorId: account.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: what,
    about: `${account.uri}#featured-tags/${e.id}`,
    inboxes: [...(await followerInboxes(ctx, account.id)), ...(await relayInboxes(ctx))],
  })
  await recordProfileChange(ctx.db, {
    accountId: account.id,
    seq: e.eventId,
    changedAt: new Date(e.at),
    dueAt: new Date(ctx.clock.now() + QUIET_MS),
  })
}
