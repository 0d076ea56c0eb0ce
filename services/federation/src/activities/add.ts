/** Add: a hashtag that somebody puts on their profile. Pinned statuses of remote people are not kept. */
import { featuredTagPutRemote } from '@murmuration/contracts/statuses'
import { hashtagOf } from '../vocabulary/read-featured-tags.js'
import { sameOrigin } from '../vocabulary/uri.js'
import { done, ignored, refused } from './outcome.js'
import type { Handler } from './received.js'

export const add: Handler<'Add'> = async (ctx, { activity, actor }) => {
  const name = hashtagOf(activity.object.node)
  if (name === null) return ignored('pins-are-not-kept')
  // What is on a profile is its owner's word; the list it is put into must be their server's.
  if (!sameOrigin(activity.target, activity.actor)) return refused('not-yours')
  await ctx.call(featuredTagPutRemote, { account: actor.id, add: name, remove: null })
  return done()
}
