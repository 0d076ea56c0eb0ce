/** Writes and checks digests of request bodies: the older `Digest` header, and `Content-Digest` (RFC 9530). */

import { createHash } from 'node:crypto'
import { parseDictionary } from './structured-fields.js'

/** SHA-256 of `bytes` in base64. Callers compute the digest of an activity once and pass it to every delivery. */
export const sha256Base64 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64')

/** Value of a `Digest` header with one SHA-256 member, the only form that all servers accept. */
export const digestHeader = (sha256: string): string => `SHA-256=${sha256}`

/** Value of a `Content-Digest` header (RFC 9530) from a SHA-256 in base64. */
export const contentDigestHeader = (sha256: string): string => `sha-256=:${sha256}:`

/**
 * True if a `Digest` header matches these bytes: the header has a SHA-256 member, and every SHA-256 member is equal to
 * the digest of the bytes. Members of other algorithms are ignored.
 */
export const digestMatches = (header: string, body: Uint8Array): boolean => {
  const members = header
    .split(',')
    .map((member) => member.trim())
    .filter((member) => /^sha-256=/i.test(member))
  if (members.length === 0) return false
  const expected = sha256Base64(body)
  return members.every((member) => member.slice('sha-256='.length) === expected)
}

/**
 * True if the `sha-256` member of a `Content-Digest` header matches these bytes. `malformed`: the header is no
 * dictionary of byte sequences.
 */
export const contentDigestMatches = (header: string, body: Uint8Array): boolean | 'malformed' => {
  const dictionary = parseDictionary(header)
  if (dictionary === null) return 'malformed'
  for (const member of dictionary.values())
    if (member.kind !== 'item' || member.item.type !== 'bytes') return 'malformed'
  const member = dictionary.get('sha-256')
  if (member?.kind !== 'item' || member.item.type !== 'bytes') return false
  return Buffer.from(member.item.value).toString('base64') === sha256Base64(body)
}
