/** Requests to the `fetch` role for collections of accounts on other servers (FEP-7aa9). */

import { z } from 'zod'
import { RemoteCollection, RemoteCollectionItem } from '../accounts/featured-collection.js'
import { internal, operation } from '../kit/index.js'
import { FetchOutcome } from './remote-actor.js'

export const fetchFeatureAuthorization = operation('federation.fetch.feature-authorization', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Address of the feature authorization. */
    authorization: z.string().max(2_048),
    /** Id of the collection that the authorization must name. `account`: id of the actor that it must name. */
    collection: z.string().max(2_048),
    account: z.string().max(2_048),
  }),
  output: z.object({ outcome: FetchOutcome }),
  about: 'Verifies the consent of an actor to be in this collection, by a document on its own server (FEP-7aa9).',
})

export const fetchFeaturedCollection = operation('federation.fetch.featured-collection', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    uri: z.string().max(2_048),
    /** True if `uri` may be the URL of the collection's page instead of its id. */ page: z.boolean().optional(),
    /** True: the collection is fetched again even if a cached result exists. */ fresh: z.boolean().optional(),
  }),
  output: z.object({ outcome: FetchOutcome, collection: RemoteCollection.nullable() }),
  about: 'Fetches a collection of accounts of another server (FEP-7aa9).',
})

export const fetchFeaturedItem = operation('federation.fetch.featured-item', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ uri: z.string().max(2_048), /** Id of the collection. */ collection: z.string().max(2_048) }),
  output: z.object({ outcome: FetchOutcome, item: RemoteCollectionItem.nullable() }),
  about: 'Fetches an item that its collection of accounts does not embed (FEP-7aa9).',
})

export const fetchFeaturedCollections = operation('federation.fetch.featured-collections', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    url: z.string().max(2_048),
    /** Actor id of the owner; collections of other owners are left out. */
    owner: z.string().max(2_048),
  }),
  output: z.object({
    outcome: FetchOutcome,
    collections: z.array(RemoteCollection),
    /**
     * True if the caller may look up the accounts in the collections now. False if there are no collections, or the
     * owner's hourly limit is reached.
     */
    look: z.boolean(),
  }),
  about:
    'Fetches the list of collections of a remote account. Of collections that are not embedded, only the first few are fetched.',
})
