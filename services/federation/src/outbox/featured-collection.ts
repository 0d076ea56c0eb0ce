/** Publishes collections of local accounts, and changes of their members. */

import type { OutgoingActivity } from '@murmuration/activitypub/vocabulary/write-activity'
import { collectionSources, type FeaturedCollectionSource } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { followerInboxes, inboxOf, recordsOf } from './audience.js'
import { publish } from './publish.js'

/** A local collection as visible to any server; null if it is deleted, or if its owner is suspended. */
export const collectionSource = async (
  ctx: Pick<Context, 'call'>,
  id: string,
): Promise<FeaturedCollectionSource | null> =>
  (await ctx.call(collectionSources, { ids: [id], viewer: null })).collections[0] ?? null

/** Shared inboxes of the remote members of a collection. */
export const memberInboxes = async (ctx: Pick<Context, 'call'>, accounts: readonly string[]): Promise<string[]> =>
  [...(await recordsOf(ctx, accounts)).values()].map(inboxOf).filter((inbox) => inbox !== null)

/**
 * Publishes an activity about a collection.
 *
 * | Collection | Recipients |
 * |---|---|
 * | discoverable | followers of its owner, servers that received it before, and `inboxes` |
 * | not discoverable | servers that received it before, and `inboxes` |
 */
export const publishCollectionActivity = async (
  ctx: Context,
  it: {
    owner: string
    uri: string
    activity: OutgoingActivity
    seq: string
    discoverable: boolean
    readAfter?: string
    inboxes?: readonly string[]
  },
): Promise<void> => {
  const followers = it.discoverable ? await followerInboxes(ctx, it.owner) : []
  await publish(ctx, {
    actorId: it.owner,
    seq: it.seq,
    activity: it.activity,
    uri: it.activity.id,
    kind: it.activity.type,
    ...(it.readAfter && { readAfter: it.readAfter }),
    about: it.uri,
    inboxes: [...followers, ...(it.inboxes ?? [])],
    receivers: it.discoverable || it.activity.type === 'Remove' ? 'reached' : 'named',
  })
}
