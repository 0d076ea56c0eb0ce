/** Worker thread that computes the RDF graph of a JSON-LD document: the hash of its canonical form, and its compacted form. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

// This file imports no other source file of this repository, because Node.js loads it directly, either compiled or as
// source.

// With its platform module for Node.js, `jsonld` loads an HTTP client. Loading that takes four times as long as the rest of
// the library. The platform module for browsers loads no HTTP client.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === './platform' ? './platform-browser.js' : specifier, context),
})
const { default: jsonld } = await import('jsonld')

/** Files of JSON-LD contexts, by address. A document with any other context is refused, and none is fetched. */
const pinned: Readonly<Record<string, string>> = {
  'https://www.w3.org/ns/activitystreams': 'activitystreams',
  'http://www.w3.org/ns/activitystreams': 'activitystreams',
  'https://www.w3.org/ns/cid/v1': 'cid-v1',
  'https://www.w3.org/ns/did/v1': 'did-v1',
  'https://w3id.org/identity/v1': 'identity-v1',
  'https://w3id.org/security/v1': 'security-v1',
  'https://w3id.org/security/data-integrity/v1': 'data-integrity-v1',
  'https://w3id.org/security/data-integrity/v2': 'data-integrity-v2',
  'https://w3id.org/security/multikey/v1': 'multikey-v1',
  'https://purl.archive.org/socialweb/webfinger': 'webfinger',
  'https://gotosocial.org/ns': 'gotosocial',
  'https://join-lemmy.org/context.json': 'join-lemmy',
  'http://joinmastodon.org/ns': 'joinmastodon',
}

const { folder, context } = workerData as { folder: string; context: object[] }

const read = new Map<string, object>()
const vocabulary = (url: string): object => {
  const name = Object.hasOwn(pinned, url) ? pinned[url] : undefined
  if (name === undefined) throw new Error('unknown-context')
  const known = read.get(name) ?? (JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as object)
  read.set(name, known)
  return known
}
const documentLoader = async (documentUrl: string) => ({ documentUrl, document: vocabulary(documentUrl) })

const plain = { documentLoader, safe: false, base: '' } as object
/**
 * Canonicalisation tries permutations to distinguish similar blank nodes. `maxDeepIterations` bounds them, because their number
 * can grow exponentially.
 */
const canonical = { ...plain, canonizeOptions: { algorithm: 'RDFC-1.0', maxDeepIterations: 64 } } as object

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
/**
 * True for an absolute IRI. `isAbsolute` must not accept more than the library does, because the library leaves out
 * other IRIs from the graph.
 */
const isAbsolute = (iri: unknown): iri is string =>
  typeof iri === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"]*$/.test(iri)
/**
 * Keywords that change the structure of a document. These keywords are checked after expansion, because a context can
 * alias them.
 */
const reshaping = ['@graph', '@included', '@reverse']
/**
 * Prefix of RDF terms. A document can write types and lists with RDF terms: the graph is the same, but a JSON parser
 * would not see the types and lists. Documents that write types or lists with RDF terms are refused.
 */
const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

const xsd = (...names: string[]) => new Set<unknown>(names.map((name) => `http://www.w3.org/2001/XMLSchema#${name}`))
const truths = xsd('boolean')
const numbers = xsd('integer', 'nonNegativeInteger', 'decimal', 'float', 'double')
/** Datatypes of native JSON values. Values of these datatypes need no `@type`. */
const unnamed = xsd('string', 'boolean', 'integer', 'double')

const nativeOf = (value: unknown, type: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (truths.has(type) && /^(?:true|false)$/.test(value)) return value === 'true'
  return numbers.has(type) && /^-?\d{1,15}(?:\.\d{1,15}(?:E-?\d{1,3})?)?$/.test(value) ? Number(value) : value
}

/** Reduces all forms of a value that are equal in the graph to the native JSON form. */
const literal = ({ '@value': value, '@type': type, '@language': language }: Node): Node => {
  // The canonical text contains the language unescaped, so a line break in the language could hide other lines.
  if (language !== undefined && !/^[\w-]{1,35}$/.test(String(language))) throw new Error('reshaped')
  const named = type === undefined || unnamed.has(type) ? {} : { '@type': type }
  return { '@value': nativeOf(value, type), ...named, ...(language === undefined ? {} : { '@language': language }) }
}

/** Removes repeated values, because a graph has no duplicates. */
const onceEach = (list: readonly unknown[]): unknown[] => {
  const seen = new Set<string>()
  return list.filter((it) => {
    if (!isNode(it) || !(Object.hasOwn(it, '@value') || Object.hasOwn(it, '@id'))) return true
    const text = JSON.stringify(it)
    return !seen.has(text) && seen.add(text)
  })
}

/**
 * The part of an expanded document that is in its graph, and therefore signed. `bodies`: content of the visited nodes
 * by id.
 *
 * Throws `reshaped` for a node that appears twice with different contents, and for keywords that change the structure
 * of the document.
 *
 * | Left out | Because |
 * |---|---|
 * | properties and types that are not absolute IRIs | they are not in the graph |
 * | nodes whose id is neither an absolute IRI nor a blank node | they are not in the graph |
 * | JSON-LD keywords such as `@index` | they are not in the graph |
 *
 * Different JSON forms of one graph are reduced to one, so that a forwarding server cannot change the meaning.
 */
const signedPart = (value: unknown, bodies = new Map<string, string>()): unknown => {
  if (Array.isArray(value)) return value.map((it) => signedPart(it, bodies)).filter((it) => it !== undefined)
  if (!isNode(value)) return value
  if (reshaping.some((key) => Object.hasOwn(value, key))) throw new Error('reshaped')
  if (Object.hasOwn(value, '@value')) return literal(value)
  const id = value['@id']
  if (id !== undefined && !isAbsolute(id) && !(typeof id === 'string' && id.startsWith('_:'))) return undefined
  const members = Object.entries(value).flatMap(([key, it]): [string, unknown][] => {
    if (key === '@id') return [[key, it]]
    if (key === '@type') return [[key, [...new Set((it as unknown[]).filter(isAbsolute))]]]
    if (key.startsWith(rdf)) throw new Error('reshaped')
    const part = key === '@list' || isAbsolute(key) ? signedPart(it, bodies) : undefined
    if (part === undefined || (Array.isArray(part) && part.length === 0)) return []
    return [[key, key !== '@list' && Array.isArray(part) ? onceEach(part) : part]]
  })
  const body = JSON.stringify(members)
  if (typeof id === 'string' && members.length > 1) {
    // The graph merges a node that appears twice, but a JSON parser sees only one of its parts.
    if (bodies.has(id) && bodies.get(id) !== body) throw new Error('reshaped')
    bodies.set(id, body)
  }
  return Object.fromEntries(members)
}

const work = async (text: string, wantsCompact: boolean) => {
  const expanded = await jsonld.expand(JSON.parse(text), plain)
  const part = signedPart(expanded) as object[]
  if (part.length !== 1) throw new Error('reshaped')
  const quads = (await jsonld.canonize(expanded as never, canonical)) as string
  const hash = createHash('sha256').update(quads).digest('hex')
  const compacted = wantsCompact ? JSON.stringify(await jsonld.compact(part as never, context as never, plain)) : null
  return { hash, compacted }
}

parentPort?.on('message', async ({ id, text, wantsCompact }) => {
  try {
    parentPort?.postMessage({ id, ...(await work(text, wantsCompact)) })
  } catch (error) {
    const causes = [error, (error as { details?: { cause?: unknown } }).details?.cause].map(String).join(' ')
    parentPort?.postMessage({ id, refused: causes.includes('unknown-context') ? 'unknown-context' : 'no-graph' })
  }
})
