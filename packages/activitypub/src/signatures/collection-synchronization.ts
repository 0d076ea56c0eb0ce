/** Followers synchronisation (FEP-8fcf): the header with the digest of an actor's followers on one server. */

import { createHash } from 'node:crypto'
import { hostOfUrl } from './request.js'

export type CollectionSynchronization = {
  /** URI of the followers collection that is compared. */
  collectionId: string
  /** Address of the list of followers on the receiver's server. Requests to the followers list must be signed. */
  url: string
  /** Digest of the followers on the receiver's server: 64 lower-case hex digits. */
  digest: string
}

/** XOR of two digests, which adds a follower to a digest or removes it. Both digests are 64 hex digits. */
export const xorDigests = (a: string, b: string): string => {
  const [x, y] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')]
  return Buffer.from(x.map((byte, at) => byte ^ (y[at] as number))).toString('hex')
}

/** Digest of an empty set of followers. */
export const emptyDigest = '0'.repeat(64)

/** Digest of one follower: SHA-256 of its actor id, in hex. */
export const digestOfFollower = (uri: string): string => createHash('sha256').update(uri).digest('hex')

/** Digest of a set of followers: XOR of their digests. Order and duplicates do not matter. */
export const followersDigest = (uris: Iterable<string>): string => {
  let digest = emptyDigest
  for (const uri of new Set(uris)) digest = xorDigests(digest, digestOfFollower(uri))
  return digest
}

/** Writes the value of the header `Collection-Synchronization`. */
export const writeCollectionSynchronization = (it: CollectionSynchronization): string =>
  `collectionId="${it.collectionId}", url="${it.url}", digest="${it.digest}"`

const parameter = /[ \t]*([A-Za-z]{1,20})="([^"]{1,2048})"[ \t]*(?:,|$)/y

const split = (header: string): ReadonlyMap<string, string> | null => {
  const found = new Map<string, string>()
  for (parameter.lastIndex = 0; parameter.lastIndex < header.length; ) {
    const [whole, name, value] = parameter.exec(header) ?? []
    if (whole === undefined || name === undefined || value === undefined || found.has(name)) return null
    found.set(name, value)
  }
  return found
}

/**
 * Parses a `Collection-Synchronization` header. Returns null unless the header is about the signer's followers and its
 * `url` is on the signer's host. `followers`: stored URI of the signer's followers collection.
 */
export const readCollectionSynchronization = (
  header: string,
  signer: { uri: string; followers: string },
): CollectionSynchronization | null => {
  const found = header.length > 8192 ? null : split(header)
  const [collectionId, url, digest] = ['collectionId', 'url', 'digest'].map((name) => found?.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  if (collectionId !== signer.followers || !/^[0-9a-f]{64}$/.test(digest)) return null
  const host = hostOfUrl(url)
  return host !== null && host === hostOfUrl(signer.uri) ? { collectionId, url, digest } : null
}
