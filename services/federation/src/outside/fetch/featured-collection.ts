/** Reads a collection of accounts from its own address, or by its page: nothing that stands in it is asked for. */
import type { RemoteCollection } from '@murmuration/contracts/accounts'
import { remoteCollection } from '../../domain/remote-collection.js'
import { readCollection } from '../../vocabulary/read-collection.js'
import { readFeaturedCollection } from '../../vocabulary/read-featured-collection.js'
import { readUri, sameOrigin } from '../../vocabulary/uri.js'
import type { Place } from './actor.js'
import { readDocument, readSource } from './document.js'
import { documentByUrl } from './object.js'
import { type Failed, failed } from './reader.js'

export const featuredCollectionAt = async (
  place: Place,
  address: string,
  page: boolean,
): Promise<{ ok: true; collection: RemoteCollection } | Failed> => {
  const uri = readUri(address)
  if (uri === null) return failed('refused')
  const read = page
    ? await documentByUrl(place, address)
    : await readDocument(place.reader, uri, { kind: 'collection', ownHosts: place.self.ownHosts, exact: true })
  if (!read.ok) return read
  const incoming = readFeaturedCollection(read.document)
  return incoming?.uri === read.uri ? { ok: true, collection: remoteCollection(incoming) } : failed('refused')
}

/** Collections of one keeper, and how many of those that are only named are asked for. */
const MOST_LISTED = 50
const MOST_NAMED = 4

/** The list, or its first page when it has pages: a few requests, all to the keeper's own server. */
export const featuredCollectionsAt = async (
  place: Place,
  address: string,
  keeper: string,
): Promise<{ ok: true; collections: RemoteCollection[] } | Failed> => {
  const [uri, owner] = [readUri(address), readUri(keeper)]
  if (uri === null || owner === null || !sameOrigin(uri, owner)) return failed('refused')
  const options = { kind: 'collection' as const, ownHosts: place.self.ownHosts }
  const read = await readSource(place.reader, uri, options)
  if (!read.ok) return read
  const root = readCollection(read.document, { origin: owner, most: MOST_LISTED })
  const first = root !== null && root.items.length === 0 ? root.first : null
  const page = first?.id && first.node === null ? await readSource(place.reader, first.id, options) : null
  const shown = page?.ok ? page.document : first?.node
  const items = (shown ? readCollection(shown, { origin: owner, most: MOST_LISTED }) : root)?.items ?? []
  const inside = items.flatMap(({ node }) => {
    const incoming = readFeaturedCollection(node)
    return incoming === null ? [] : [remoteCollection(incoming)]
  })
  const named = items.flatMap(({ id, node }) => (id !== null && node === null && sameOrigin(id, owner) ? [id] : []))
  const asked = await Promise.all(named.slice(0, MOST_NAMED).map((id) => featuredCollectionAt(place, id, false)))
  const all = [...inside, ...asked.flatMap((one) => (one.ok ? [one.collection] : []))]
  return { ok: true, collections: all.filter((one) => one.ownerUri === owner) }
}
