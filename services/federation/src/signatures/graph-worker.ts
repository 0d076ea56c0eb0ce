/** A thread that reads documents as graphs: the hash of the canonical form, and the document in our own words. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import jsonld from 'jsonld'

// This file imports nothing of ours, so that it runs compiled and as source alike.

/** Vocabularies that documents may name, by address; every other address is refused, nothing is ever fetched. */
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
/** Anonymous nodes that look alike are told apart by trying; more than this many tries is a trap. */
const canonical = { ...plain, canonizeOptions: { algorithm: 'RDFC-1.0', maxDeepIterations: 64 } } as object

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const isAbsolute = (iri: unknown): iri is string => typeof iri === 'string' && /^[A-Za-z][\w+.-]*:\S*$/.test(iri)
/** Keys that give a document another shape; a context can hide them behind any other name. */
const reshaping = ['@graph', '@included', '@reverse']

/**
 * An expanded document without everything that is no part of its graph, and therefore not signed: properties and types
 * without an address, and whatever hangs on a node whose id is none.
 */
const signedPart = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(signedPart).filter((it) => it !== undefined)
  if (!isNode(value)) return value
  if (reshaping.some((key) => Object.hasOwn(value, key))) throw new Error('reshaped')
  if (Object.hasOwn(value, '@value')) return value
  const id = value['@id']
  if (id !== undefined && !isAbsolute(id) && !(typeof id === 'string' && id.startsWith('_:'))) return undefined
  const members = Object.entries(value).flatMap(([key, it]): [string, unknown][] => {
    if (key === '@id') return [[key, it]]
    if (key === '@type') return [[key, (it as unknown[]).filter(isAbsolute)]]
    const part = key === '@list' || isAbsolute(key) ? signedPart(it) : undefined
    return part === undefined || (Array.isArray(part) && part.length === 0) ? [] : [[key, part]]
  })
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
    const told = [error, (error as { details?: { cause?: unknown } }).details?.cause].map(String).join(' ')
    parentPort?.postMessage({ id, refused: told.includes('unknown-context') ? 'unknown-context' : 'no-graph' })
  }
})
