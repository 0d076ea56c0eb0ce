/** Remove: a hashtag that somebody takes off their profile. Pinned statuses of remote people are not kept. */
import { featuredTagPutRemote } from '@murmuration/contracts/statuses'
import { hashtagOf } from '../vocabulary/read-featured-tags.js'
import { sameOrigin } from '../vocabulary/uri.js'
import { done, ignored, refused } from './outcome.js'
import type { Handler } from './received.js'

export const takeOff: Handler<'Remove'> = async (ctx, { activity, actor }) => {
  const name = hashtagOf(activity.object.node)
  if (name === null) return ignored('pins-are-not-kept')
  if (!sameOrigin(activity.target, activity.actor)) return refused('not-yours')
  await ctx.call(featuredTagPutRemote, { account: actor.id, add: null, remove: name })
  return done()
}
