/** Parses and checks public keys in PEM and multibase, and parses private keys. */

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { afterPrefix, fromMultibase, multicodec } from './multibase.js'

export type KeyType = 'rsa' | 'ed25519'

/**
 * A parsed public key. Callers keep the object, because parsing a PEM takes several times as long as verifying a
 * signature.
 */
export type VerificationKey = { type: KeyType; key: KeyObject }

/** Maximum number of characters of a PEM. The largest accepted RSA key needs about 1,400. */
const longestPem = 8192
const fewestRsaBits = 1024
const maxRsaBits = 8192

/**
 * Returns an Ed25519 key, or an RSA key within the limits of size and exponent. Null for keys that are too weak, too
 * slow, or of other types.
 */
const weigh = (key: KeyObject): VerificationKey | null => {
  if (key.asymmetricKeyType === 'ed25519') return { type: 'ed25519', key }
  if (key.asymmetricKeyType !== 'rsa') return null
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  const soundSize = modulusLength >= fewestRsaBits && modulusLength <= maxRsaBits
  const soundExponent = publicExponent >= 3n && publicExponent % 2n === 1n && publicExponent < 1n << 33n
  return soundSize && soundExponent ? { type: 'rsa', key } : null
}

/** The key that `make` parses; null if `make` throws, or if `weigh` does not accept the key. */
const attempt = (make: () => KeyObject): VerificationKey | null => {
  try {
    return weigh(make())
  } catch {
    return null
  }
}

/**
 * The PEM text with lines of 64 characters. Some servers send a PEM with literal `\n`, CRLF, indented lines, or a
 * single line.
 */
const tidyPem = (pem: string): string => {
  const text = pem.replace(/\\n/g, '\n').trim()
  const [, name, body] = /^-----BEGIN ([A-Z ]{1,40})-----([A-Za-z0-9+/=\s]*)-----END \1-----$/.exec(text) ?? []
  if (name === undefined || body === undefined) return `${text.replace(/\r\n?/g, '\n')}\n`
  const lines = body.replace(/\s/g, '').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`, ''].join('\n')
}

/**
 * The key in a PEM text (SPKI `PUBLIC KEY` or PKCS#1 `RSA PUBLIC KEY`); null if the key is invalid, too weak, or of
 * another type.
 */
export const keyFromPem = (pem: string): VerificationKey | null => {
  if (pem.length > longestPem) return null
  const tidy = tidyPem(pem)
  // `createPublicKey` would accept a private key and derive its public key. A published private key is refused.
  if (!/^-----BEGIN (?:RSA )?PUBLIC KEY-----\n/.test(tidy)) return null
  return attempt(() => createPublicKey({ key: tidy, format: 'pem' }))
}

const ed25519Spki = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * The key in a `publicKeyMultibase` text (FEP-521a: Ed25519 raw, RSA as PKCS#1); null if the key is invalid, too weak,
 * or of another type.
 */
export const keyFromMultibase = (text: string): VerificationKey | null => {
  const bytes = fromMultibase(text)
  if (bytes === null) return null
  const ed25519 = afterPrefix(bytes, multicodec.ed25519)
  if (ed25519?.length === 32)
    return attempt(() => createPublicKey({ key: Buffer.concat([ed25519Spki, ed25519]), format: 'der', type: 'spki' }))
  const rsa = afterPrefix(bytes, multicodec.rsa)
  if (rsa) return attempt(() => createPublicKey({ key: Buffer.from(rsa), format: 'der', type: 'pkcs1' }))
  return null
}

/** A local private key from PKCS#8 PEM. Throws if the text is not a private key, which means that the stored key is damaged. */
export const privateKeyFromPem = (pem: string): KeyObject => createPrivateKey({ key: pem, format: 'pem' })
