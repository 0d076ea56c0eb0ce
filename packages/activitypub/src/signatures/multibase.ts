/** Multibase texts (base58btc, base64url) and multicodec prefixes of the supported key types. */

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const digitOf = new Map([...alphabet].map((letter, value) => [letter, value]))

/**
 * Maximum number of characters of a base58 text, because decoding takes quadratic time. An RSA key of 8192 bits needs
 * about 1,430.
 */
const longestBase58 = 1600

/** Encodes bytes in base58 with the Bitcoin alphabet. */
export const toBase58 = (bytes: Uint8Array): string => {
  const digits: number[] = []
  for (const byte of bytes) {
    let carry = byte
    for (let at = 0; at < digits.length; at++) {
      carry += (digits[at] as number) << 8
      digits[at] = carry % 58
      carry = (carry / 58) | 0
    }
    for (; carry > 0; carry = (carry / 58) | 0) digits.push(carry % 58)
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  const lead = '1'.repeat(zeros === -1 ? bytes.length : zeros)
  return (
    lead +
    digits
      .reverse()
      .map((digit) => alphabet[digit])
      .join('')
  )
}

/** Decodes base58; null if a character is invalid or the text is too long. */
export const fromBase58 = (text: string): Uint8Array | null => {
  if (text.length > longestBase58) return null
  const bytes: number[] = []
  for (const letter of text) {
    const digit = digitOf.get(letter)
    if (digit === undefined) return null
    let carry = digit
    for (let at = 0; at < bytes.length; at++) {
      carry += (bytes[at] as number) * 58
      bytes[at] = carry & 0xff
      carry >>= 8
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff)
  }
  let zeros = 0
  while (text[zeros] === '1') zeros++
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes.reverse()])
}

/** Encodes bytes as multibase `z…` (base58btc). */
export const toMultibase = (bytes: Uint8Array): string => `z${toBase58(bytes)}`

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
