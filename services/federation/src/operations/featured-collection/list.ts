/** `GET /ap/users/:id/featured_collections`: collections of accounts that a person wants to be found. */

import { actorAddresses } from '@murmuration/activitypub/vocabulary/write-actor'
import { writeFeaturedCollections } from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { collectionSources } from '@murmuration/contracts/accounts'
import { showFeaturedCollections } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { aboutPerson } from '../../requests/about-person.js'
import { documentAnswer } from '../../requests/answer.js'

export const list = handle(showFeaturedCollections, async (ctx, _viewer, input) => {
  const { request, asker, person, shutOut } = await aboutPerson(ctx, input)
  const { collections } = shutOut
    ? { collections: [] }
    : await ctx.call(collectionSources, { keptBy: person.id, viewer: asker?.accountId ?? null })
  const document = writeFeaturedCollections(actorAddresses(person.uri).featuredCollections, collections)
  return documentAnswer(request, document, { asker, secure: ctx.self.secure })
})
