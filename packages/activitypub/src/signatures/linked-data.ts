/** Linked-data signatures (RsaSignature2017): a signature inside the document over its graph. */
import { createHash, type KeyObject, sign } from 'node:crypto'
import { registeredDomain } from '@murmuration/text'
import { securityV1, signatureContext } from '../vocabulary/context.js'
import { isReshaped } from '../vocabulary/parse-document.js'
import { fromBase64, isSignedBy } from './claim.js'
import type { Graphs } from './graph.js'
import type { VerificationKey } from './keys.js'
import { hostOfUrl } from './request.js'

type Json = Readonly<Record<string, unknown>>

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
      /** The signed content, serialised again: the only part of the document that is proved. JSON. */
      document: string
    }
  | { ok: false; reason: LinkedDataRefusal }

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Address of each option in the graph. Their canonical form is these lines in order. */
const time = {
  pattern: /^\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:?\d\d)$/,
  type: 'http://www.w3.org/2001/XMLSchema#dateTime',
}
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

/** Hash of the options in their canonical form; null when an option is unknown. */
const hashOfOptions = (signature: Json): string | null => {
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

const without = (document: Json, ...left: string[]): Json =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !left.includes(name)))

/** Whether the document is signed by its own actor. `getKey` is called with the exact id of the key. */
export const verifyLinkedData = async (
  document: Json,
  options: {
    now: number
    graphs: Graphs
    getKey(keyId: string): Promise<(VerificationKey & { owner: string }) | null>
  },
): Promise<LinkedDataOutcome> => {
  const no = (reason: LinkedDataRefusal): LinkedDataOutcome => ({ ok: false, reason })
  const { signature } = document
  if (!isJson(signature)) return no('no-signature')
  if (signature.type !== 'RsaSignature2017') return no('unsupported-type')
  // These keys make the same graph look like another document.
  if (isReshaped(document)) return no('reshaped')
  const hash = hashOfOptions(signature)
  const { creator, expires, signatureValue } = signature
  const bytes = typeof signatureValue === 'string' ? fromBase64(signatureValue) : null
  if (hash === null || typeof creator !== 'string' || bytes === null) return no('malformed-options')
  if (expires !== undefined && !(Date.parse(expires as string) >= options.now)) return no('expired')
  const actor = isJson(document.actor) ? document.actor.id : document.actor
  if (typeof actor !== 'string') return no('no-actor')

  // Checked before the key is fetched: a key of another server proves nothing about this actor.
  if (hostOfUrl(creator) !== hostOfUrl(actor)) return no('foreign-key')
  const key = await options.getKey(creator)
  if (key === null) return no('unknown-key')
  if (key.type !== 'rsa') return no('key-mismatch')
  if (key.owner !== actor) return no('foreign-key')
  // A proof by another rule may have been added afterwards, and signs itself.
  const graph = await options.graphs.read(JSON.stringify(without(document, 'signature')), {
    compact: true,
    of: registeredDomain(hostOfUrl(creator) as string),
  })
  if (!graph.ok || graph.compacted === null) return no('unreadable-graph')
  const text = Buffer.from(`${hash}${graph.hash}`, 'ascii')
  return isSignedBy(key, text, bytes) ? { ok: true, actor, document: graph.compacted } : no('wrong-signature')
}

/** The document with a signature by this RSA key; null when it cannot be read as a graph now. Times are ISO 8601. */
export const addLinkedDataSignature = async (
  document: Json & { readonly '@context': readonly unknown[] },
  by: { keyId: string; privateKey: KeyObject; created: string; expires: string; graphs: Graphs },
): Promise<Json | null> => {
  const [first, ...others] = document['@context'].filter((entry) => entry !== securityV1)
  const whole = { ...document, '@context': [first, securityV1, ...others, signatureContext] }
  const options = { creator: by.keyId, created: by.created, expires: by.expires }
  const [hash, graph] = [hashOfOptions(options), await by.graphs.read(JSON.stringify(whole))]
  if (hash === null || !graph.ok) return null
  const signatureValue = sign('sha256', Buffer.from(`${hash}${graph.hash}`, 'ascii'), by.privateKey).toString('base64')
  return { ...whole, signature: { type: 'RsaSignature2017', ...options, signatureValue } }
}
