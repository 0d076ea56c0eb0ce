/** Add: a status, hashtag or collection of accounts that somebody puts on their profile, or an account into one. */

import { hashtagOf } from '@murmuration/activitypub/vocabulary/read-featured-tags'
import { sameOrigin } from '@murmuration/activitypub/vocabulary/uri'
import { featuredTagPutRemote } from '@murmuration/contracts/statuses'
import { collectionAdded } from './featured-collection.js'
import { done, refused } from './outcome.js'
import { pin } from './pin.js'
import type { Handler } from './received.js'
import { inTurn, listedIn } from './turn.js'

const put: Handler<'Add'> = async (ctx, received) => {
  const { activity, actor } = received
  const name = hashtagOf(activity.object.node)
  if (name === null) return (await collectionAdded(ctx, received, activity)) ?? pin(ctx, received, true)
  // What is on a profile is its owner's word; the list it is put into must be their server's.
  if (!sameOrigin(activity.target, activity.actor)) return refused('not-yours')
  await ctx.call(featuredTagPutRemote, { account: actor.id, add: name, remove: null })
  return done()
}

export const add: Handler<'Add'> = (ctx, received) => {
  const thing = listedIn(received.activity)
  return thing === null ? put(ctx, received) : inTurn(ctx, received, { thing }, () => put(ctx, received))
}
