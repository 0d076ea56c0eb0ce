/** Linked-data signatures (RsaSignature2017): a signature inside a document, over its RDF graph. */

import { createHash, type KeyObject, sign } from 'node:crypto'
import { registeredDomain } from '@murmuration/text'
import { readTime } from '@murmuration/text/read-time'
import { securityV1, signatureContext } from '../vocabulary/context.js'
import { isJsonObject, type JsonObject, listOf, soleIdOf } from '../vocabulary/json.js'
import { isReshaped } from '../vocabulary/parse-document.js'
import { fromBase64, isSignedBy } from './claim.js'
import type { Graphs } from './graph.js'
import type { VerificationKey } from './keys.js'
import { hostOfUrl } from './request.js'

export type LinkedDataRefusal =
  | 'no-signature'
  | 'unsupported-type'
  | 'reshaped'
  | 'malformed-options'
  | 'expired'
  | 'no-actor'
  | 'unreadable-graph'
  | 'unknown-key'
  | 'key-mismatch'
  | 'foreign-key'
  | 'wrong-signature'

export type LinkedDataOutcome =
  | {
      ok: true
      actor: string
      /** The signed content as JSON text. The signature proves only this text, not the received document. */
      document: string
    }
  | { ok: false; reason: LinkedDataRefusal }

/** Permitted form of a time in the signature options, and its RDF datatype. */
const time = {
  pattern: /^\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:?\d\d)$/,
  type: 'http://www.w3.org/2001/XMLSchema#dateTime',
}
/**
 * IRI, permitted values and datatype of each signature option. `names`: the options in the order of their lines in the
 * canonical form.
 */
const predicates = {
  created: { iri: 'http://purl.org/dc/terms/created', ...time },
  creator: {
    iri: 'http://purl.org/dc/terms/creator',
    pattern: /^https?:\/\/[^\s<>"{}|^`\\\u0000-\u0020]{1,2000}$/,
    type: null,
  },
  expires: { iri: 'https://w3id.org/security#expiration', ...time },
  nonce: { iri: 'https://w3id.org/security#nonce', pattern: /^[\w+/=.:-]{1,500}$/, type: '' },
} as const
const names = ['created', 'creator', 'expires', 'nonce'] as const
const notSigned = new Set(['type', 'id', 'signatureValue', '@context'])

/** SHA-256 of the signature options in canonical form, in hex; null if an option is unknown or malformed. */
const hashOfOptions = (signature: JsonObject): string | null => {
  const given = Object.keys(signature).filter((name) => !notSigned.has(name))
  if (!given.every((name) => (names as readonly string[]).includes(name))) return null
  const lines = names.flatMap((name) => {
    const value = signature[name]
    if (value === undefined) return []
    const { iri, pattern, type } = predicates[name]
    if (typeof value !== 'string' || !pattern.test(value)) return [null]
    const object = type === null ? `<${value}>` : `"${value}"${type && `^^<${type}>`}`
    return [`_:c14n0 <${iri}> ${object} .\n`]
  })
  return lines.includes(null) ? null : createHash('sha256').update(lines.join('')).digest('hex')
}

const without = (document: JsonObject, ...left: string[]): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !left.includes(name)))

/** Maximum number of signatures of a document that are searched for a supported one. */
const maxSignatures = 5

/** The linked-data signature of a document: the first one of the supported type, else the first one; null if there is none. */
export const linkedDataSignatureOf = (document: JsonObject): JsonObject | null => {
  const signatures = listOf(document.signature, maxSignatures).filter(isJsonObject)
  return signatures.find((it) => it.type === 'RsaSignature2017') ?? signatures[0] ?? null
}

/**
 * Verifies the linked-data signature of a document by its actor. `getKey` is called with the exact id of the key.
 * `now`: current time in milliseconds since 1970.
 */
export const verifyLinkedData = async (
  document: JsonObject,
  options: {
    now: number
    graphs: Graphs
    getKey(keyId: string): Promise<(VerificationKey & { owner: string }) | null>
  },
): Promise<LinkedDataOutcome> => {
  const no = (reason: LinkedDataRefusal): LinkedDataOutcome => ({ ok: false, reason })
  const signature = linkedDataSignatureOf(document)
  if (signature === null) return no('no-signature')
  if (signature.type !== 'RsaSignature2017') return no('unsupported-type')
  // Documents with keywords such as `@graph` are refused. They can have the RDF graph, and so the signature, of a
  // document that a JSON parser reads differently.
  if (isReshaped(document)) return no('reshaped')
  const hash = hashOfOptions(signature)
  const { creator, expires, signatureValue } = signature
  const bytes = typeof signatureValue === 'string' ? fromBase64(signatureValue) : null
  if (hash === null || typeof creator !== 'string' || bytes === null) return no('malformed-options')
  if (expires !== undefined && !(readTime(expires as string) >= options.now)) return no('expired')
  const actor = soleIdOf(document.actor)
  if (actor === null) return no('no-actor')

  // The origin is checked before the key is fetched, because a key of another server cannot prove this actor.
  if (hostOfUrl(creator) !== hostOfUrl(actor)) return no('foreign-key')
  const key = await options.getKey(creator)
  if (key === null) return no('unknown-key')
  if (key.type !== 'rsa') return no('key-mismatch')
  if (key.owner !== actor) return no('foreign-key')
  // Only the linked-data signature is removed before the graph is computed. An integrity proof stays, because it is
  // part of the signed document.
  const graph = await options.graphs.read(JSON.stringify(without(document, 'signature')), {
    compact: true,
    of: registeredDomain(hostOfUrl(creator) as string),
  })
  if (!graph.ok || graph.compacted === null) return no('unreadable-graph')
  const text = Buffer.from(`${hash}${graph.hash}`, 'ascii')
  return isSignedBy(key, text, bytes) ? { ok: true, actor, document: graph.compacted } : no('wrong-signature')
}

/**
 * Returns the document with a signature by this RSA key; null if its graph cannot be computed now. Times of the
 * signature are ISO 8601.
 */
export const addLinkedDataSignature = async (
  document: JsonObject & { readonly '@context': readonly unknown[] },
  by: { keyId: string; privateKey: KeyObject; created: string; expires: string; graphs: Graphs },
): Promise<JsonObject | null> => {
  const [first, ...others] = document['@context'].filter((entry) => entry !== securityV1)
  const whole = { ...document, '@context': [first, securityV1, ...others, signatureContext] }
  const options = { creator: by.keyId, created: by.created, expires: by.expires }
  const [hash, graph] = [hashOfOptions(options), await by.graphs.read(JSON.stringify(whole))]
  if (hash === null || !graph.ok) return null
  const signatureValue = sign('sha256', Buffer.from(`${hash}${graph.hash}`, 'ascii'), by.privateKey).toString('base64')
  return { ...whole, signature: { type: 'RsaSignature2017', ...options, signatureValue } }
}
