/** Claim of a signature header after every check that needs no key, and the check with the key. */

import { verify } from 'node:crypto'
import type { KeyType, VerificationKey } from './keys.js'
import { type Refused, refuse } from './refusal.js'

export type Scheme = 'cavage' | 'rfc9421'

export type Claim = {
  scheme: Scheme
  keyId: string
  /** The key type the label insists on; null when the key decides. */
  keyType: KeyType | null
  /** The texts that may have been signed; more than one where senders disagree about the query string. */
  bases: readonly string[]
  signature: Uint8Array
  /** Creation time, ms since the epoch; covered by the signature. */
  made: number
}

/** Host names and time that the readers of both schemes need. */
export type Place = {
  /** Milliseconds since the epoch. */
  now: number
  /** Scheme and host under which the outside knows us, such as `https://social.example`. */
  publicOrigin: string
  /** Host names of this server, normalised by comparableHost. */
  ownHosts: ReadonlySet<string>
}

/** Null when the key made this signature over one of the texts, else why not. Takes about 35 µs for RSA-2048. */
export const disproved = (
  claim: Pick<Claim, 'keyId' | 'keyType' | 'bases' | 'signature'>,
  { type, key }: VerificationKey,
): Refused | null => {
  if (claim.keyType !== null && claim.keyType !== type) return refuse('key-mismatch', claim.keyId)
  const proved = claim.bases.some((base) => isSignedBy({ type, key }, Buffer.from(base, 'utf8'), claim.signature))
  return proved ? null : refuse('wrong-signature', claim.keyId)
}

/** Whether the key made this signature over these bytes; an error in the cryptography counts as no. */
export const isSignedBy = ({ type, key }: VerificationKey, bytes: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return verify(type === 'rsa' ? 'sha256' : null, bytes, key, signature)
  } catch {
    return false
  }
}

/** The bytes of strict base64, or null. */
export const fromBase64 = (text: string): Uint8Array | null =>
  text.length > 0 && text.length <= 2048 && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null

/** Methods that carry a body whose digest must be signed, and methods that do not; any other method is refused. */
export const carriesBody = (method: string): boolean | null => {
  const name = method.toUpperCase()
  if (name === 'POST') return true
  return name === 'GET' || name === 'HEAD' ? false : null
}
