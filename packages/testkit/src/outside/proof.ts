/**
 * Object integrity proofs (FEP-8b32, eddsa-jcs-2022) and Ed25519 keys of remote servers. This implementation shares no code
 * with the product's implementation, so that each verifies the other.
 */
import { createHash, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { Document } from './remote-actor.js'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Encodes bytes as multibase `z…` (base58btc). */
export const toMultibase = (bytes: Uint8Array): string => {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  let text = ''
  for (let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n)
    text = `${ALPHABET[Number(rest % 58n)]}${text}`
  return `z${'1'.repeat(zeros === -1 ? bytes.length : zeros)}${text}`
}

/** The multibase text of an Ed25519 public key, with its multicodec prefix. */
export const ed25519ToMultibase = (key: KeyObject): string =>
  toMultibase(Buffer.concat([Buffer.of(0xed, 0x01), Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')]))

const makeKeys = promisify(generateKeyPair)

/** Creates an Ed25519 key pair as other servers publish it. */
export const makeEd25519Keys = async (): Promise<{ publicKeyMultibase: string; privateKey: KeyObject }> => {
  const { publicKey, privateKey } = await makeKeys('ed25519', {})
  return { publicKeyMultibase: ed25519ToMultibase(publicKey), privateKey }
}

/** JSON text with sorted keys. It is canonical (RFC 8785) for the documents of tests. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
const digestOf = (value: unknown): Buffer => createHash('sha256').update(canonical(value)).digest()

/** Returns the document with a proof by this Ed25519 key. `created` is ISO 8601. The proof repeats the context of the document. */
export const addProof = (
  document: Document,
  key: { verificationMethod: string; privateKey: KeyObject; created: string },
): Document => {
  const options = {
    '@context': document['@context'],
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    verificationMethod: key.verificationMethod,
    proofPurpose: 'assertionMethod',
    created: key.created,
  }
  const { proof: _proof, signature: _signature, ...bare } = document
  const bytes = Buffer.concat([digestOf(options), digestOf(bare)])
  return { ...document, proof: { ...options, proofValue: toMultibase(sign(null, bytes, key.privateKey)) } }
}
