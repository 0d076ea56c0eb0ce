/** Parses collections of accounts, their items, and authorizations of items (FEP-7aa9). */
import type { RemoteCollection, RemoteCollectionItem } from '@murmuration/contracts/accounts'
import { limits as own } from '@murmuration/contracts/limits'
import {
  extension,
  firstOf,
  hrefOf,
  idOf,
  isJsonObject,
  isNo,
  isYes,
  type JsonObject,
  listOf,
  prop,
  type Ref,
  referenceOf,
  soleIdOf,
  typesOf,
} from './json.js'
import { readPageLinks } from './read-collection.js'
import { readHashtag } from './read-tag.js'
import { languageOf, naturalText } from './read-text.js'
import { timeOf } from './time.js'
import { readUri, sameOrigin, type Uri } from './uri.js'

/** A parsed FeatureAuthorization: the consent of an account to be in a collection. */
export type IncomingFeatureAuthorization = {
  readonly uri: Uri
  /** URI of the collection in which the account consents to be. */
  readonly interactingObject: Uri
  /** Actor id of the account that consents to be in the collection. */
  readonly interactionTarget: Uri
}

/** Parses a FeatureAuthorization. Null if a field is missing, or for other objects. */
export const readFeatureAuthorization = (value: unknown): IncomingFeatureAuthorization | null => {
  if (!isJsonObject(value) || !typesOf(value).includes('FeatureAuthorization')) return null
  const uri = readUri(prop(value, 'id'))
  const interactingObject = idOf(prop(value, 'interactingObject'))
  const interactionTarget = idOf(prop(value, 'interactionTarget'))
  return uri && interactingObject && interactionTarget ? { uri, interactingObject, interactionTarget } : null
}

/** Whether one of the types of a node is FeaturedCollection. */
export const isFeaturedCollection = (node: JsonObject | null): node is JsonObject =>
  node !== null && typesOf(node).includes('FeaturedCollection')
/** Whether one of the types of a node is FeaturedItem. */
export const isFeaturedItem = (node: JsonObject | null): node is JsonObject =>
  node !== null && typesOf(node).includes('FeaturedItem')

/** Parses an item. Returns null if the item is invalid, names no account, or is not on the origin of `origin`. */
export const readFeaturedItem = (value: unknown, origin: Uri): RemoteCollectionItem | null => {
  if (!isJsonObject(value) || !isFeaturedItem(value)) return null
  const uri = readUri(prop(value, 'id'))
  const account = idOf(prop(value, 'featuredObject'))
  if (uri === null || account === null || !sameOrigin(uri, origin)) return null
  return { uri, account, authorization: idOf(prop(value, 'featureAuthorization')) }
}

/** Items of a list: embedded items, and URIs of items that are not embedded. */
export type ListedItems = { readonly items: RemoteCollectionItem[]; readonly named: Uri[] }

/** Parses a list of items. Values that are no items, and items on another origin than `origin`, are left out. */
export const readFeaturedItems = (values: readonly unknown[], origin: Uri): ListedItems => {
  const listed: ListedItems = { items: [], named: [] }
  for (const value of values) {
    const item = readFeaturedItem(value, origin)
    const one = referenceOf(value)
    const id = isJsonObject(one) ? null : readUri(one)
    if (item !== null) listed.items.push(item)
    else if (id !== null && sameOrigin(id, origin)) listed.named.push(id)
  }
  return listed
}

/** A parsed collection of accounts. The collection's texts are not sanitised yet. */
export type IncomingCollectionOfAccounts = Omit<RemoteCollection, 'description' | 'named'> & {
  readonly summaryHtml: string
  readonly named: Uri[]
  /** First page of the items, if the items are on pages; else null. */
  readonly first: Ref | null
  /** True if items are missing, for example because they are on a page of another origin (see `readCollection`). */
  readonly incomplete: boolean
}

/** Maximum number of characters of the name or topic of a collection. */
const NAME = 200
/** Maximum number of characters of the summary (HTML) of a collection. */
const SUMMARY = 4_000

const topicOf = (node: JsonObject): string | null => {
  const topic = firstOf(prop(node, 'topic'))
  return isJsonObject(topic) ? readHashtag(topic) : null
}

/**
 * Parses a collection of accounts. Null for other objects, without a name, or if it is not on the origin of its owner.
 *
 * Items beyond the local limit of a collection are left out.
 */
export const readFeaturedCollection = (value: unknown): IncomingCollectionOfAccounts | null => {
  if (!isJsonObject(value) || !isFeaturedCollection(value)) return null
  const uri = readUri(prop(value, 'id'))
  const ownerUri = soleIdOf(prop(value, 'attributedTo'))
  const name = naturalText(value, 'name', NAME)?.trim()
  if (uri === null || ownerUri === null || !sameOrigin(uri, ownerUri) || !name) return null
  const listed = prop(value, 'orderedItems') ?? prop(value, 'items')
  const { first, incomplete } = readPageLinks(value, { origin: uri, isPage: false })
  return {
    uri,
    ownerUri,
    url: hrefOf(prop(value, 'url')),
    name,
    summaryHtml: naturalText(value, 'summary', SUMMARY) ?? '',
    language: languageOf(value),
    sensitive: isYes(extension(value, 'sensitive')),
    discoverable: !isNo(prop(value, 'discoverable')),
    tag: topicOf(value),
    published: timeOf(prop(value, 'published')),
    updated: timeOf(prop(value, 'updated')),
    ...readFeaturedItems(listOf(listed, own.accounts.collectionItems), uri),
    first: listed === undefined ? first : null,
    incomplete,
  }
}
