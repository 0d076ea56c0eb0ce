/** Followers synchronisation (FEP-8fcf): the header with the digest of an actor's followers on one server. */

import { createHash } from 'node:crypto'
import { hostOfUrl } from './request.js'

export type CollectionSynchronization = {
  /** The followers collection that is compared. */
  collectionId: string
  /** Where the part that lives on the receiver's server can be read, signed. */
  url: string
  /** 64 lower-case hex digits. */
  digest: string
}

/** XOR of two digests, which adds a follower to a digest or removes it. Both are 64 hex digits. */
export const xorDigests = (a: string, b: string): string => {
  const [x, y] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')]
  return Buffer.from(x.map((byte, at) => byte ^ (y[at] as number))).toString('hex')
}

/** The digest of no followers. */
export const emptyDigest = '0'.repeat(64)

/** Share of one follower in a digest. */
export const digestOfFollower = (uri: string): string => createHash('sha256').update(uri).digest('hex')

/** The digest of a set of followers, in any order, each once. */
export const followersDigest = (uris: Iterable<string>): string => {
  let digest = emptyDigest
  for (const uri of new Set(uris)) digest = xorDigests(digest, digestOfFollower(uri))
  return digest
}

/** The header's value. */
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
 * The header, when it is about the signer's own followers and points to the signer's own host; else null, which is to be
 * ignored. `followers` is the followers collection stored for the signer.
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
