/** FeatureRequest: a remote account asks to add a local one to a collection (FEP-7aa9). The local account's setting decides at once. */
import { createHash } from 'node:crypto'
import { hostOf } from '@murmuration/activitypub/vocabulary/uri'
import {
  featureAuthorizationUri,
  writeFeatureResponse,
} from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { putRemoteCollection, requestCollectionItem } from '@murmuration/contracts/accounts'
import { fetchFeaturedCollection } from '@murmuration/contracts/federation'
import type { Context } from '../../context.js'
import { sendActivity } from '../../outbox/index.js'
import { authorizeFeatureRequest } from '../object-authority.rules.js'
import { done, ignored, type Outcome, refused } from './outcome.js'
import { countOnce, type Handler, localAccount, type Received, retryLater } from './received.js'

/**
 * Fetches and stores the collection of a FeatureRequest. Its other members are not looked up. Returns null on success,
 * else the outcome.
 */
const fetchAndStore = async (
  ctx: Context,
  { activity, actor, delivery }: Received<'FeatureRequest'>,
): Promise<Outcome | null> => {
  const uri = activity.instrument
  const may = () => ctx.fetcher.limits.mayFetchForwarded(uri, hostOf(uri) as string)
  if (!(await countOnce(ctx, delivery, 'consult', may))) return refused('fetch-limit')
  const { outcome, collection } = await ctx.call(fetchFeaturedCollection, { uri })
  if (outcome === 'later') throw retryLater('the collection cannot be read yet')
  if (collection === null) return refused(`collection-${outcome}`)
  if (collection.ownerUri !== activity.actor) return refused('not-yours')
  const put = await ctx.call(putRemoteCollection, { actor: actor.id, collection, make: true, look: false })
  return put.outcome === 'refused' ? refused('too-many-collections') : null
}

export const featureRequest: Handler<'FeatureRequest'> = async (ctx, received) => {
  const { activity, actor } = received
  const authorized = authorizeFeatureRequest(activity, ctx.self.ownHosts)
  if (!authorized.ok) return refused(authorized.reason)
  const our = await localAccount(ctx, activity.object)
  if (our === null || !our.usable) return ignored('unknown-object')
  const requestItem = () =>
    ctx.call(requestCollectionItem, { actor: actor.id, account: our.id, uri: activity.instrument })
  let result = await requestItem()
  if (result.outcome === 'unknown') {
    const unread = await fetchAndStore(ctx, received)
    if (unread !== null) return unread
    result = await requestItem()
  }
  const { id } = activity
  if (id === null || result.outcome === 'unknown') return refused('never-asked')
  const verb = result.item === null ? 'rejects' : 'accepts'
  // Some servers use one id for all requests, so the response is also named by the collection.
  const name = createHash('sha256').update(`${id}\n${activity.instrument}`).digest('base64url')
  await sendActivity(ctx, {
    actorId: our.id,
    seq: ctx.ids.next(),
    activity: writeFeatureResponse({
      id: `${our.uri}#${verb}/feature_requests/${name}`,
      account: our.uri,
      owner: activity.actor,
      request: id,
      authorization: result.item === null ? null : featureAuthorizationUri(our.uri, result.item),
    }),
    their: actor,
  })
  return done(result.item === null ? 'rejected' : null)
}
