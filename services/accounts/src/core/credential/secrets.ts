/** Creates random secrets and the digests under which they are stored. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Tokens {
  /** A new random value of 256 bits, as 43 URL-safe characters. */
  random(): string
  /** SHA-256 digest of a value. The database contains only the digest. */
  digest(value: string): Buffer
  /** A random nonce that is stored with a token. */
  nonce(): Buffer
  /**
   * The token value of a nonce: an HMAC with the key of this server. With the HMAC, this server can return a token
   * again, although the database contains only nonce and digest.
   */
  valueOf(nonce: Uint8Array): string
  /** The values of a nonce that was stored before: with the current key, and with the one before SECRET_KEY_BASE changed. */
  valuesOf(nonce: Uint8Array): string[]
}

const valueWith = (key: string, nonce: Uint8Array): string =>
  createHmac('sha256', key).update(nonce).digest('base64url')

export const createTokens = (key: string, previous: string | null = null): Tokens => ({
  random: () => randomBytes(32).toString('base64url'),
  digest: (value) => createHash('sha256').update(value).digest(),
  nonce: () => randomBytes(32),
  valueOf: (nonce) => valueWith(key, nonce),
  valuesOf: (nonce) => [key, ...(previous === null ? [] : [previous])].map((one) => valueWith(one, nonce)),
})

/** Whether two digests are equal. The comparison takes constant time. */
export const sameDigest = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
