/** Reads a collection of accounts from its own address, or by its page: nothing that stands in it is asked for. */
import type { RemoteCollection } from '@murmuration/contracts/accounts'
import { remoteCollection } from '../../domain/remote-collection.js'
import { readFeaturedCollection } from '../../vocabulary/read-featured-collection.js'
import { readUri } from '../../vocabulary/uri.js'
import type { Place } from './actor.js'
import { readDocument } from './document.js'
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
