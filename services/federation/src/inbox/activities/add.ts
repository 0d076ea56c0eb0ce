/** Add: an actor adds a pinned status, hashtag or collection of accounts to its profile, or an account to a collection. */

import { hashtagOf } from '@murmuration/activitypub/vocabulary/read-featured-tags'
import { sameOrigin } from '@murmuration/activitypub/vocabulary/uri'
import { putRemoteFeaturedTags } from '@murmuration/contracts/statuses'
import { collectionAdded } from './featured-collection.js'
import { inOrder, listedIn } from './ordering.js'
import { done, refused } from './outcome.js'
import { pin } from './pin.js'
import type { Handler } from './received.js'

const put: Handler<'Add'> = async (ctx, received) => {
  const { activity, actor } = received
  const name = hashtagOf(activity.object.node)
  if (name === null) return (await collectionAdded(ctx, received, activity)) ?? pin(ctx, received, true)
  // Only the owner may change its profile, so the target collection of the Add must be on the server of the actor.
  if (!sameOrigin(activity.target, activity.actor)) return refused('not-yours')
  await ctx.call(putRemoteFeaturedTags, { account: actor.id, add: name, remove: null })
  return done()
}

export const add: Handler<'Add'> = (ctx, received) => {
  const object = listedIn(received.activity)
  return object === null ? put(ctx, received) : inOrder(ctx, received, { object }, () => put(ctx, received))
}
