/** Somebody who is in a collection no more is removed from it before everybody; who left by themselves takes back that they agreed. */
import { collectionItemRemoved } from '@murmuration/contracts/accounts'
import { recordsOf } from '../delivery/audience.js'
import { collectionSource, memberInboxes, tellOfCollection } from '../delivery/featured-collection.js'
import { publish } from '../delivery/publish.js'
import { react } from '../doors.js'
import {
  featureAuthorizationUri,
  writeDeleteOfFeatureAuthorization,
  writeRemoveOfItem,
} from '../vocabulary/write-featured-collection.js'

export const onCollectionItemRemoved = react(collectionItemRemoved, 'on-collection-item-removed', async (ctx, e) => {
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
  const authorization = featureAuthorizationUri(account.uri, e.id)
  const activity = writeDeleteOfFeatureAuthorization({ uri: authorization, account: account.uri, collection: uri })
  await publish(ctx, {
    actorId: account.id,
    seq: e.eventId,
    activity,
    uri: activity.id,
    kind: 'Delete',
    about: authorization,
    reachedBy: [uri],
  })
})
