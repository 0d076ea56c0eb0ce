/** `GET /ap/users/:id/featured_collections`: collections of accounts that a person wants to be found. */
import { collectionSources } from '@murmuration/contracts/accounts'
import { showFeaturedCollections } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { aboutPerson } from '../../requests/about-person.js'
import { documentAnswer } from '../../requests/answer.js'
import { actorAddresses } from '../../vocabulary/write-actor.js'
import { writeFeaturedCollections } from '../../vocabulary/write-featured-collection.js'

export const list = handle(showFeaturedCollections, async (ctx, _viewer, input) => {
  const { request, asker, person, shutOut } = await aboutPerson(ctx, input)
  const { collections } = shutOut
    ? { collections: [] }
    : await ctx.call(collectionSources, { keptBy: person.id, viewer: asker?.accountId ?? null })
  const document = writeFeaturedCollections(actorAddresses(person.uri).featuredCollections, collections)
  return documentAnswer(request, document, { asker, secure: ctx.self.secure })
})
