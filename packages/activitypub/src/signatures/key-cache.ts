/** A bounded memory of parsed keys, oldest use out first, so that a key text is parsed once and not per request. */

import { createHash, type KeyObject } from 'node:crypto'
import { createMemoryCache } from '@murmuration/flow'
import { keyFromMultibase, keyFromPem, privateKeyFromPem, type VerificationKey } from './keys.js'

export type KeyCache = {
  /** The public key of a PEM or multibase text; null when it is unusable, which is remembered too. */
  verification(text: string): VerificationKey | null
  /** One of our own private keys from PEM; throws when it is none. */
  signing(pem: string): KeyObject
}

const bounded = <T>(most: number, make: (text: string) => T) => {
  const kept = createMemoryCache<T>({ most })
  return (text: string): T => {
    // The digest keeps private keys and long texts out of the keys of the cache.
    const name = createHash('sha256').update(text).digest('base64')
    const known = kept.get(name)
    if (known !== undefined) return known
    const value = make(text)
    kept.set(name, value)
    return value
  }
}

/** A cache of at most `most` public and as many private keys; 10,000 RSA keys take about 30 MB. */
export const keyCache = (most = 5000): KeyCache => ({
  verification: bounded(most, (text) => (text.trimStart().startsWith('-') ? keyFromPem(text) : keyFromMultibase(text))),
  signing: bounded(most, privateKeyFromPem),
})
