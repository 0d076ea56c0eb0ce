/** Writes collections of accounts, authorizations of their items, and activities about them (FEP-7aa9). */
import type { FeaturedCollectionSource, FeaturedItemSource } from '@murmuration/contracts/accounts'
import { escapeText } from '@murmuration/text'
import { featureContext } from './context.js'
import { isoTime } from './time.js'
import { publicCollection } from './uri.js'
import type { OutgoingActivity } from './write-activity.js'
import { actorAddresses } from './write-actor.js'
import { writeWholeCollection } from './write-collection.js'
import { writeHashtag } from './write-tag.js'

/** Id of a collection of a local account. */
export const featuredCollectionUri = (owner: string, id: string): string => `${owner}/collections/${id}`

/** Id of the authorization by which a local account consents to be in a remote collection. */
export const featureAuthorizationUri = (account: string, item: string): string =>
  `${account}/feature_authorizations/${item}`

/** Id of an item of a collection of accounts: the id of the collection with a fragment. */
export const itemUri = (collection: string, item: string): string => `${collection}#items/${item}`

const itemNode = (collection: string, it: FeaturedItemSource) => ({
  id: itemUri(collection, it.id),
  type: 'FeaturedItem',
  featuredObject: it.accountUri,
  featuredObjectType: it.kind,
  featureAuthorization: it.authorization,
  published: isoTime(it.created_at),
})

const collectionNode = (it: FeaturedCollectionSource) => {
  const summary = escapeText(it.description)
  return {
    id: it.uri,
    type: 'FeaturedCollection',
    attributedTo: it.ownerUri,
    url: it.url,
    name: it.name,
    summary,
    ...(it.language === null ? {} : { summaryMap: { [it.language]: summary } }),
    sensitive: it.sensitive,
    discoverable: it.discoverable,
    ...(it.tag === null ? {} : { topic: writeHashtag(it.tag) }),
    ...(it.tags.length === 0 ? {} : { tag: it.tags.map(writeHashtag) }),
    published: isoTime(it.created_at),
    updated: isoTime(it.updated_at),
    totalItems: it.items.length,
    orderedItems: it.items.map((item) => itemNode(it.uri, item)),
  }
}

/** Writes a collection of accounts as a document. */
export const writeFeaturedCollection = (it: FeaturedCollectionSource) => ({
  '@context': featureContext,
  ...collectionNode(it),
})

/** Writes the list of an account's discoverable collections, which are embedded. */
export const writeFeaturedCollections = (uri: string, all: readonly FeaturedCollectionSource[]) =>
  writeWholeCollection({ uri, items: all.map(collectionNode), context: featureContext })

/** Consent of an account to be in a collection. `uri`: id of the authorization; `account` and `collection`: ids. */
export type FeatureAuthorizationSource = { uri: string; account: string; collection: string }

const authorizationNode = (it: FeatureAuthorizationSource) => ({
  id: it.uri,
  type: 'FeatureAuthorization',
  interactingObject: it.collection,
  interactionTarget: it.account,
})

/** Writes the consent of an account to be in a collection (FeatureAuthorization) as a document. */
export const writeFeatureAuthorization = (it: FeatureAuthorizationSource) => ({
  '@context': featureContext,
  ...authorizationNode(it),
})

/** Writes the public Delete of a FeatureAuthorization, which revokes the consent. */
export const writeDeleteOfFeatureAuthorization = (it: FeatureAuthorizationSource): OutgoingActivity => ({
  '@context': featureContext,
  id: `${it.uri}#delete`,
  type: 'Delete',
  actor: it.account,
  to: [publicCollection],
  cc: [],
  object: authorizationNode(it),
})

/** Id of the FeatureRequest for an item of a local collection. Each item has one FeatureRequest, so its id is unique. */
export const featureRequestUri = (owner: string, item: string): string => `${owner}/feature_requests/${item}`

/**
 * Writes the FeatureRequest for an item of a local collection. All values are ids, and `item` is the id of the item in its row.
 */
export const writeFeatureRequest = (it: {
  owner: string
  item: string
  account: string
  collection: string
}): OutgoingActivity => ({
  '@context': featureContext,
  id: featureRequestUri(it.owner, it.item),
  type: 'FeatureRequest',
  actor: it.owner,
  to: [it.account],
  cc: [],
  object: it.account,
  instrument: it.collection,
})

/** Writes the Accept or Reject of a FeatureRequest by a local account. The request is named by its id only. */
export const writeFeatureResponse = (it: {
  id: string
  account: string
  owner: string
  request: string
  /** Id of the FeatureAuthorization that the Accept grants; null for a Reject. */
  authorization: string | null
}): OutgoingActivity => ({
  '@context': featureContext,
  id: it.id,
  type: it.authorization === null ? 'Reject' : 'Accept',
  actor: it.account,
  to: [it.owner],
  cc: [],
  object: it.request,
  ...(it.authorization === null ? {} : { result: it.authorization }),
})

/** Data of an activity of the owner about a collection. `seq` makes the id of the activity unique. */
type AboutCollection = { owner: string; uri: string; seq: string }

const activityOf = (type: 'Add' | 'Remove' | 'Update', { owner, uri, seq }: AboutCollection): OutgoingActivity => ({
  '@context': featureContext,
  id: `${uri}#${type.toLowerCase()}s/${seq}`,
  type,
  actor: owner,
  to: [publicCollection],
  cc: [actorAddresses(owner).followers],
})

/** Writes the Add of a new collection of a local account. `seq` makes the id of the activity unique. */
export const writeAddOfCollection = (it: FeaturedCollectionSource, seq: string): OutgoingActivity => ({
  ...activityOf('Add', { owner: it.ownerUri, uri: it.uri, seq }),
  target: actorAddresses(it.ownerUri).featuredCollections,
  object: collectionNode(it),
})

/** Writes the Remove of a deleted collection of a local account. */
export const writeRemoveOfCollection = (it: AboutCollection): OutgoingActivity => ({
  ...activityOf('Remove', it),
  target: actorAddresses(it.owner).featuredCollections,
  object: it.uri,
})

/** Writes the Update of a collection whose name, description or settings changed. */
export const writeUpdateOfCollection = (it: FeaturedCollectionSource, seq: string): OutgoingActivity => ({
  ...activityOf('Update', { owner: it.ownerUri, uri: it.uri, seq }),
  object: collectionNode(it),
})

/** Writes the Add of an item to a collection of a local account. */
export const writeAddOfItem = (
  it: FeaturedCollectionSource,
  item: FeaturedItemSource,
  seq: string,
): OutgoingActivity => ({
  ...activityOf('Add', { owner: it.ownerUri, uri: it.uri, seq }),
  target: it.uri,
  object: itemNode(it.uri, item),
})

/** Writes the Remove of an item of a collection of a local account. `item`: id of the item in its row. */
export const writeRemoveOfItem = (it: AboutCollection & { item: string }): OutgoingActivity => ({
  ...activityOf('Remove', it),
  target: it.uri,
  object: itemUri(it.uri, it.item),
})
