/** Remove: an actor removes a pinned status, hashtag or collection of accounts from its profile, or an account from a collection. */

import { hashtagOf } from '@murmuration/activitypub/vocabulary/read-featured-tags'
import { sameOrigin } from '@murmuration/activitypub/vocabulary/uri'
import { putRemoteFeaturedTags } from '@murmuration/contracts/statuses'
import { removeFromCollections } from './featured-collection.js'
import { inOrder, listedIn } from './ordering.js'
import { done, refused } from './outcome.js'
import { pin } from './pin.js'
import type { Handler } from './received.js'

const take: Handler<'Remove'> = async (ctx, received) => {
  const { activity, actor } = received
  const name = hashtagOf(activity.object.node)
  if (name === null) return (await removeFromCollections(ctx, received, activity)) ?? pin(ctx, received, false)
  if (!sameOrigin(activity.target, activity.actor)) return refused('not-yours')
  await ctx.call(putRemoteFeaturedTags, { account: actor.id, add: null, remove: name })
  return done()
}

export const applyRemove: Handler<'Remove'> = (ctx, received) => {
  const object = listedIn(received.activity)
  const work = () => take(ctx, received)
  return object === null ? work() : inOrder(ctx, received, { object, removes: true }, work)
}
