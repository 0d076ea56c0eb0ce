/** Keys: reading public ones from PEM and multibase, weighing them, making new pairs. */

import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { afterPrefix, fromMultibase, multicodec, toMultibase } from './multibase.js'

export type KeyType = 'rsa' | 'ed25519'

/** A public key ready for use. Keep the object: parsing a PEM costs several times the verification itself. */
export type VerificationKey = { type: KeyType; key: KeyObject }

/** A PEM of an RSA key of 8192 bits has about 1,400 characters. */
const longestPem = 8192
const fewestRsaBits = 1024
const mostRsaBits = 8192

/** Keys that are too weak, too costly to verify with, or of another kind are no keys. */
const weigh = (key: KeyObject): VerificationKey | null => {
  if (key.asymmetricKeyType === 'ed25519') return { type: 'ed25519', key }
  if (key.asymmetricKeyType !== 'rsa') return null
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  const soundSize = modulusLength >= fewestRsaBits && modulusLength <= mostRsaBits
  const soundExponent = publicExponent >= 3n && publicExponent % 2n === 1n && publicExponent < 1n << 33n
  return soundSize && soundExponent ? { type: 'rsa', key } : null
}

/** OpenSSL's errors do not help a caller: an unreadable text is no key. */
const attempt = (make: () => KeyObject): VerificationKey | null => {
  try {
    return weigh(make())
  } catch {
    return null
  }
}

/** Some servers send PEM with literal `\n`, CRLF, or without the last line end. */
const tidyPem = (pem: string): string => `${pem.replace(/\\n/g, '\n').replace(/\r\n?/g, '\n').trim()}\n`

/** The key in a PEM text (SPKI `PUBLIC KEY` or PKCS#1 `RSA PUBLIC KEY`), or null when it cannot be used. */
export const keyFromPem = (pem: string): VerificationKey | null => {
  if (pem.length > longestPem) return null
  const tidy = tidyPem(pem)
  // A private key would be read as its public half, and there is no good reason to publish one.
  if (!/^-----BEGIN (?:RSA )?PUBLIC KEY-----\n/.test(tidy)) return null
  return attempt(() => createPublicKey({ key: tidy, format: 'pem' }))
}

const ed25519Spki = Buffer.from('302a300506032b6570032100', 'hex')

/** The key in a `publicKeyMultibase` text (FEP-521a: Ed25519 raw, RSA as PKCS#1), or null when it cannot be used. */
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

/** The multibase text of an Ed25519 public key. */
export const ed25519ToMultibase = (key: KeyObject): string => {
  const raw = key.export({ format: 'der', type: 'spki' }).subarray(ed25519Spki.length)
  return toMultibase(Uint8Array.from([...multicodec.ed25519, ...raw]))
}

/** One of our own private keys, from PKCS#8 PEM. Throws when the text is no key: our own store is damaged then. */
export const privateKeyFromPem = (pem: string): KeyObject => createPrivateKey({ key: pem, format: 'pem' })

/** A new RSA key of 2048 bits, made on the thread pool (about a third of a CPU second): never on a request path. */
export const generateRsaKey = async (): Promise<{ publicKeyPem: string; privateKeyPem: string }> => {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return {
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

/** A new Ed25519 key. */
export const generateEd25519Key = async (): Promise<{ publicKeyMultibase: string; privateKeyPem: string }> => {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ed25519', {})
  return {
    publicKeyMultibase: ed25519ToMultibase(publicKey),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}
