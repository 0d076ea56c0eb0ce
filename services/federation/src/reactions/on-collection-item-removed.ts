/** Somebody who is in a collection no more is removed from it before everybody; who left by themselves takes back that they agreed. */

import type { OutgoingActivity } from '@murmuration/activitypub/vocabulary/write-activity'
import {
  featureAuthorizationUri,
  writeDeleteOfFeatureAuthorization,
  writeRemoveOfItem,
} from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { type AccountRecord, collectionItemRemoved } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { recordsOf } from '../delivery/audience.js'
import { pairOf } from '../delivery/deed.js'
import { collectionSource, memberInboxes, tellOfCollection } from '../delivery/featured-collection.js'
import { publish, publishTo } from '../delivery/publish.js'
import { react } from '../doors.js'

const endOf = (account: AccountRecord, item: string, collection: string): OutgoingActivity =>
  writeDeleteOfFeatureAuthorization({
    uri: featureAuthorizationUri(account.uri, item),
    account: account.uri,
    collection,
  })

const toldAs = (account: AccountRecord, activity: OutgoingActivity, e: { id: string; eventId: string }) => ({
  actorId: account.id,
  seq: e.eventId,
  activity,
  uri: activity.id,
  kind: 'Delete',
  about: featureAuthorizationUri(account.uri, e.id),
})

/** Somebody here left a collection of another server, which is told that they agree no more. */
const leave = async (
  ctx: Context,
  e: { id: string; eventId: string; account: string; owner: string },
  collection: string,
): Promise<void> => {
  const pair = await pairOf(ctx, e.account, e.owner)
  if (pair === null) return
  await publishTo(ctx, pair.their, toldAs(pair.our, endOf(pair.our, e.id, collection), e))
}

export const onCollectionItemRemoved = react(collectionItemRemoved, 'on-collection-item-removed', async (ctx, e) => {
  if (e.left !== undefined) await leave(ctx, e, e.left)
  // Who never agreed was told of to nobody; with a collection that is gone everybody in it went.
  const source = e.ownerLocal && e.state !== 'pending' ? await collectionSource(ctx, e.collection) : null
  if (source === null) return
  const { owner: keeper, ownerUri, uri, discoverable } = source
  await tellOfCollection(ctx, {
    keeper,
    uri,
    activity: writeRemoveOfItem({ keeper: ownerUri, uri, item: e.id, seq: e.eventId }),
    seq: e.eventId,
    discoverable,
    inboxes: await memberInboxes(ctx, [e.account]),
  })
  if (!e.accountLocal || e.state !== 'revoked') return
  const account = (await recordsOf(ctx, [e.account])).get(e.account)
  if (!account) return
  const activity = endOf(account, e.id, uri)
  await publish(ctx, { ...toldAs(account, activity, e), reachedBy: [uri] })
})
