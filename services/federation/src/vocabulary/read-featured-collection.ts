/** Reads collections of accounts, and agreements to be in one (FEP-7aa9). */
import type { RemoteCollection, RemoteCollectionItem } from '@murmuration/contracts/accounts'
import { limits as own } from '@murmuration/contracts/limits'
import { hrefOf, idOf, isLoose, type Loose, listOf, prop, soleIdOf, textOf, typesOf } from './loose.js'
import { languageOf, naturalText } from './read-text.js'
import { timeOf } from './time.js'
import { readUri, sameOrigin, type Uri } from './uri.js'

/** A FeatureAuthorization as it came from its origin. */
export type IncomingFeatureAuthorization = {
  readonly uri: Uri
  /** The collection. */
  readonly interactingObject: Uri
  /** The actor in it. */
  readonly interactionTarget: Uri
}

/** An agreement, or null when a field is missing or the node is something else. */
export const readFeatureAuthorization = (value: unknown): IncomingFeatureAuthorization | null => {
  if (!isLoose(value) || !typesOf(value).includes('FeatureAuthorization')) return null
  const uri = readUri(prop(value, 'id'))
  const interactingObject = idOf(prop(value, 'interactingObject'))
  const interactionTarget = idOf(prop(value, 'interactionTarget'))
  return uri && interactingObject && interactionTarget ? { uri, interactingObject, interactionTarget } : null
}

export const isFeaturedCollection = (node: Loose | null): node is Loose =>
  node !== null && typesOf(node).includes('FeaturedCollection')
export const isFeaturedItem = (node: Loose | null): node is Loose =>
  node !== null && typesOf(node).includes('FeaturedItem')

/** An item, on the server of `origin`; null when it is none, or names nobody. What is named by its id alone is not asked for. */
export const readFeaturedItem = (value: unknown, origin: Uri): RemoteCollectionItem | null => {
  if (!isLoose(value) || !isFeaturedItem(value)) return null
  const uri = readUri(prop(value, 'id'))
  const account = idOf(prop(value, 'featuredObject'))
  if (uri === null || account === null || !sameOrigin(uri, origin)) return null
  return { uri, account, authorization: idOf(prop(value, 'featureAuthorization')) }
}

/** A collection of accounts as it came; nothing in it is clean yet. */
export type IncomingCollectionOfAccounts = Omit<RemoteCollection, 'description'> & { readonly summaryHtml: string }

const NAME = 200
/** Characters of HTML. */
const SUMMARY = 4_000

const topicOf = (node: Loose): string | null => {
  const topic = prop(node, 'topic')
  const name = isLoose(topic) ? textOf(prop(topic, 'name'), NAME) : null
  return name?.replace(/^[#＃]/, '') || null
}

/** A collection of one actor on its own server, with as many items as one here may have; null when it is none. */
export const readFeaturedCollection = (value: unknown): IncomingCollectionOfAccounts | null => {
  if (!isLoose(value) || !isFeaturedCollection(value)) return null
  const uri = readUri(prop(value, 'id'))
  const ownerUri = soleIdOf(prop(value, 'attributedTo'))
  const name = naturalText(value, 'name', NAME)?.trim()
  if (uri === null || ownerUri === null || !sameOrigin(uri, ownerUri) || !name) return null
  const items = listOf(prop(value, 'orderedItems') ?? prop(value, 'items'), own.accounts.collectionItems)
  return {
    uri,
    ownerUri,
    url: hrefOf(prop(value, 'url')),
    name,
    summaryHtml: naturalText(value, 'summary', SUMMARY) ?? '',
    language: languageOf(value),
    sensitive: prop(value, 'sensitive') === true,
    discoverable: prop(value, 'discoverable') !== false,
    tag: topicOf(value),
    published: timeOf(prop(value, 'published')),
    updated: timeOf(prop(value, 'updated')),
    items: items.map((item) => readFeaturedItem(item, uri)).filter((item) => item !== null),
  }
}
