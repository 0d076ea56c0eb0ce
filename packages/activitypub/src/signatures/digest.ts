/** Digests of request bodies: the older `Digest` header and the `Content-Digest` of RFC 9530, made and compared. */

import { createHash } from 'node:crypto'
import { parseDictionary } from './structured-fields.js'

/** Base64 of the SHA-256 of the bytes. Compute it once per activity and pass it to every delivery. */
export const sha256Base64 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64')

/** The value of a `Digest` header with exactly one SHA-256 member, which is the only form that all servers take. */
export const digestHeader = (sha256: string): string => `SHA-256=${sha256}`

/** The value of a `Content-Digest` header (RFC 9530). */
export const contentDigestHeader = (sha256: string): string => `sha-256=:${sha256}:`

/**
 * Whether a `Digest` header speaks for these bytes: it must hold a SHA-256 member, and every such member must match.
 * Members of other algorithms are ignored, because nobody is obliged to check them.
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

/** Whether a `Content-Digest` header speaks for these bytes; `malformed` when it is no dictionary of byte sequences. */
export const contentDigestMatches = (header: string, body: Uint8Array): boolean | 'malformed' => {
  const dictionary = parseDictionary(header)
  if (dictionary === null) return 'malformed'
  for (const member of dictionary.values())
    if (member.kind !== 'item' || member.item.type !== 'bytes') return 'malformed'
  const member = dictionary.get('sha-256')
  if (member?.kind !== 'item' || member.item.type !== 'bytes') return false
  return Buffer.from(member.item.value).toString('base64') === sha256Base64(body)
}
