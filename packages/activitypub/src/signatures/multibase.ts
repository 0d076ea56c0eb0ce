/** Multibase texts (base58btc, base64url) and multicodec prefixes of the supported key types. */
import { base58 } from '@scure/base'

/**
 * Maximum number of characters of a base58 text, because decoding takes quadratic time. An RSA key of 8192 bits needs
 * about 1,430.
 */
const longestBase58 = 1600

/** Decodes base58 with the Bitcoin alphabet; null if a character is invalid or the text is too long. */
const fromBase58 = (text: string): Uint8Array | null => {
  if (text.length > longestBase58) return null
  try {
    return base58.decode(text)
  } catch {
    return null
  }
}

/** Decodes multibase `z…` (base58btc) or `u…` (base64url); null for other texts. */
export const fromMultibase = (text: string): Uint8Array | null => {
  if (text.startsWith('z')) return fromBase58(text.slice(1))
  if (/^u[A-Za-z0-9_-]{1,2000}$/.test(text)) return Buffer.from(text.slice(1), 'base64url')
  return null
}

/** The two varint bytes before a raw key, by key type. */
export const multicodec = { ed25519: [0xed, 0x01], rsa: [0x85, 0x24] } as const

/** The bytes of a key after its multicodec prefix; null if the bytes do not start with the prefix. */
export const afterPrefix = (bytes: Uint8Array, prefix: readonly [number, number]): Uint8Array | null =>
  bytes[0] === prefix[0] && bytes[1] === prefix[1] ? bytes.subarray(2) : null
