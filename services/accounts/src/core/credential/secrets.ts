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
}

export const createTokens = (key: string): Tokens => ({
  random: () => randomBytes(32).toString('base64url'),
  digest: (value) => createHash('sha256').update(value).digest(),
  nonce: () => randomBytes(32),
  valueOf: (nonce) => createHmac('sha256', key).update(nonce).digest('base64url'),
})

/** Whether two digests are equal. The comparison takes constant time. */
export const sameDigest = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
