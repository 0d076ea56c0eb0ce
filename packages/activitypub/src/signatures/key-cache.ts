/**
 * Cache of parsed keys, because parsing a key takes longer than using it. The least recently used key is removed first.
 */

import { createHash, type KeyObject } from 'node:crypto'
import { createMemoryCache } from '@murmuration/flow'
import { keyFromMultibase, keyFromPem, privateKeyFromPem, type VerificationKey } from './keys.js'

export type KeyCache = {
  /** The public key of a PEM or multibase text; null if it is unusable. An unusable key is cached, too. */
  verification(text: string): VerificationKey | null
  /** A local private key from PEM. Throws if the text is not a private key. */
  signing(pem: string): KeyObject
}

const bounded = <T>(max: number, make: (text: string) => T) => {
  const kept = createMemoryCache<T>({ max })
  return (text: string): T => {
    // Entries are found by a digest of the key text, so that the cache stores no text of private keys.
    const name = createHash('sha256').update(text).digest('base64')
    const known = kept.get(name)
    if (known !== undefined) return known
    const value = make(text)
    kept.set(name, value)
    return value
  }
}

/** Creates a cache of at most `max` public and `max` private keys. 10,000 RSA keys need about 30 MB. */
export const keyCache = (max = 5000): KeyCache => ({
  verification: bounded(max, (text) => (text.trimStart().startsWith('-') ? keyFromPem(text) : keyFromMultibase(text))),
  signing: bounded(max, privateKeyFromPem),
})
