/** Random values that open something, and the digests under which they are stored. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Tokens {
  /** A fresh value of 256 bits, 43 URL-safe characters. */
  random(): string
  /** The digest that is stored instead of a value. */
  digest(value: string): Buffer
  /** A nonce to store beside a token. */
  nonce(): Buffer
  /**
   * The token that belongs to a nonce: always the same, and not to be found without our key. So one grant can give its
   * value again although the database holds only its digest.
   */
  valueOf(nonce: Uint8Array): string
}

export const createTokens = (key: string): Tokens => ({
  random: () => randomBytes(32).toString('base64url'),
  digest: (value) => createHash('sha256').update(value).digest(),
  nonce: () => randomBytes(32),
  valueOf: (nonce) => createHmac('sha256', key).update(nonce).digest('base64url'),
})

/** Compares digests in constant time. */
export const sameDigest = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
