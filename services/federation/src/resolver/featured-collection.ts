/** Fetches remote collections of accounts with the pages of their items. Accounts in the collections are not fetched. */

import { type JsonObject, prop, type Ref, typesOf } from '@murmuration/activitypub/vocabulary/json'
import { readCollection } from '@murmuration/activitypub/vocabulary/read-collection'
import {
  type IncomingCollectionOfAccounts,
  readFeaturedCollection,
  readFeaturedItem,
  readFeaturedItems,
} from '@murmuration/activitypub/vocabulary/read-featured-collection'
import { readUri, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { RemoteCollection, RemoteCollectionItem } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import { remoteCollection } from '../core/remote-object/collection.rules.js'
import type { FetchContext } from './actor.js'
import { readDocument, readSource } from './document.js'
import { type Failed, failed } from './document-fetcher.js'
import { documentByUrl } from './object.js'

/** Maximum number of requests for pages of one collection. */
const MAX_PAGES = 3

/**
 * Items of a page and of the pages after it. `left`: maximum number of items. `pages`: maximum number of
 * requests.
 *
 * Fails if a page is unreadable, because an item that is missing in the result counts as removed.
 */
const onPages = async (
  context: FetchContext,
  step: Ref | null,
  origin: Uri,
  bounds: { left: number; pages: number },
): Promise<{ ok: true; values: unknown[] } | Failed> => {
  if (step === null || bounds.left === 0) return { ok: true, values: [] }
  // An embedded page without items is only a link to the page, so the page is fetched.
  const isHere = step.node !== null && ['orderedItems', 'items'].some((name) => prop(step.node as JsonObject, name))
  if (!isHere && (step.id === null || !sameOrigin(step.id, origin))) return failed('refused')
  if (!isHere && bounds.pages === 0) return { ok: true, values: [] }
  const read = isHere
    ? { ok: true as const, document: step.node }
    : await readSource(context.fetcher, step.id as Uri, { kind: 'collection', ownHosts: context.self.ownHosts })
  if (!read.ok) return read
  const page = readCollection(read.document, { origin, max: bounds.left })
  if (page === null || page.incomplete) return failed('refused')
  const values = page.items.map((item) => item.node ?? item.id)
  const after = { left: bounds.left - values.length, pages: bounds.pages - (isHere ? 0 : 1) }
  const more = await onPages(context, page.next === null ? null : { id: page.next, node: null }, origin, after)
  return more.ok ? { ok: true, values: [...values, ...more.values] } : more
}

/** The collection with the items of its pages. Fails if items are missing, because missing items count as removed. */
const whole = async (
  context: FetchContext,
  incoming: IncomingCollectionOfAccounts,
): Promise<{ ok: true; collection: RemoteCollection } | Failed> => {
  const { first, incomplete } = incoming
  const uri = incoming.uri as Uri
  if (incomplete) return failed('refused')
  if (first === null) return { ok: true, collection: remoteCollection(incoming) }
  const bounds = { left: limits.accounts.collectionItems, pages: MAX_PAGES }
  const found = await onPages(context, first, uri, bounds)
  if (!found.ok) return found
  return { ok: true, collection: remoteCollection({ ...incoming, ...readFeaturedItems(found.values, uri) }) }
}

export const featuredCollectionAt = async (
  context: FetchContext,
  address: string,
  page: boolean,
): Promise<{ ok: true; collection: RemoteCollection } | Failed> => {
  const uri = readUri(address)
  if (uri === null) return failed('refused')
  const read = page
    ? await documentByUrl(context, address)
    : await readDocument(context.fetcher, uri, { kind: 'collection', ownHosts: context.self.ownHosts, exact: true })
  if (!read.ok) return read
  if (typesOf(read.document).includes('Tombstone')) return failed('gone')
  const incoming = readFeaturedCollection(read.document)
  return incoming?.uri === read.uri ? whole(context, incoming) : failed('refused')
}

/** Fetches an item that its collection contains only as URI. */
export const featuredItemAt = async (
  context: FetchContext,
  address: string,
  collection: string,
): Promise<{ ok: true; item: RemoteCollectionItem } | Failed> => {
  const [uri, origin] = [readUri(address), readUri(collection)]
  if (uri === null || origin === null || !sameOrigin(uri, origin)) return failed('refused')
  const read = await readDocument(context.fetcher, uri, {
    kind: 'object',
    ownHosts: context.self.ownHosts,
    exact: true,
  })
  if (!read.ok) return read
  const item = readFeaturedItem(read.document, origin)
  return item?.uri === read.uri ? { ok: true, item } : failed('refused')
}

/** Maximum number of collections of accounts that are read from the list of one owner. */
const MAX_LISTED = 50
/**
 * Maximum number of collections per owner that are fetched from their own addresses. The list of an owner may only name
 * a collection, or lack some of its pages.
 */
const MAX_NAMED = 4

/**
 * Collections in the list of an owner, or in the first page of the list. All requests are sent to the owner's server.
 */
export const featuredCollectionsAt = async (
  context: FetchContext,
  address: string,
  ownerUri: string,
): Promise<{ ok: true; collections: RemoteCollection[] } | Failed> => {
  const [uri, owner] = [readUri(address), readUri(ownerUri)]
  if (uri === null || owner === null || !sameOrigin(uri, owner)) return failed('refused')
  const options = { kind: 'collection' as const, ownHosts: context.self.ownHosts }
  const read = await readSource(context.fetcher, uri, options)
  if (!read.ok) return read
  const root = readCollection(read.document, { origin: owner, max: MAX_LISTED })
  const first = root !== null && root.items.length === 0 ? root.first : null
  const page = first?.id && first.node === null ? await readSource(context.fetcher, first.id, options) : null
  const shown = page?.ok ? page.document : first?.node
  const items = (shown ? readCollection(shown, { origin: owner, max: MAX_LISTED }) : root)?.items ?? []
  const listed = items.map((item) => ({ ...item, incoming: readFeaturedCollection(item.node) }))
  const hasAllItems = (it: IncomingCollectionOfAccounts | null) => it !== null && it.first === null && !it.incomplete
  const inside = listed.flatMap(({ incoming }) =>
    incoming !== null && hasAllItems(incoming) ? [remoteCollection(incoming)] : [],
  )
  const named = listed.flatMap(({ id, node, incoming }) =>
    id !== null && (node === null || incoming) && !hasAllItems(incoming) && sameOrigin(id, owner) ? [id] : [],
  )
  const fetched = await Promise.all(named.slice(0, MAX_NAMED).map((id) => featuredCollectionAt(context, id, false)))
  const all = [...inside, ...fetched.flatMap((one) => (one.ok ? [one.collection] : []))]
  return { ok: true, collections: all.filter((one) => one.ownerUri === owner) }
}
