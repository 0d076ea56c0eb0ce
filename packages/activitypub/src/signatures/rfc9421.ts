/** HTTP message signatures (RFC 9421) in the profile of fediverse servers: `@method`, `@target-uri`, digest, `created`, `keyid`. */

import { type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { type Claim, carriesBody, type VerifyContext } from './claim.js'
import { contentDigestHeader, contentDigestMatches, sha256Base64 } from './digest.js'
import type { KeyType } from './keys.js'
import { isRefused, type Refused, refuse } from './refusal.js'
import { headerOf, hostOfUrl, isKeyId, type OutgoingRequest, type SignedRequest } from './request.js'
import {
  type Item,
  type Member,
  type Parameters,
  parseDictionary,
  writeBareItem,
  writeInnerList,
} from './structured-fields.js'
import { outsideWindow, secondsToMs } from './window.js'

/** Maximum number of signatures (labels) that are checked per request, because each may cause a fetch of a key. */
const maxLabels = 2

const keyTypeOf: ReadonlyMap<string, KeyType> = new Map([
  ['rsa-v1_5-sha256', 'rsa'],
  ['ed25519', 'ed25519'],
])

const stringParam = (params: Parameters, name: string): string | null => {
  const value = params.get(name)
  return value?.type === 'string' ? value.value : null
}

/** Value of a time parameter in ms; undefined if absent, null if it is not an integer of seconds. */
const timeParam = (params: Parameters, name: string): number | null | undefined => {
  const value = params.get(name)
  if (value === undefined) return undefined
  return value.type === 'integer' ? secondsToMs(value.value) : null
}

const derived = (name: string, request: SignedRequest, context: VerifyContext): string | null => {
  const [path = '', query = ''] = request.path.split(/(?=\?)/, 2)
  switch (name) {
    case '@method':
      return request.method.toUpperCase()
    case '@target-uri':
      // The public origin is used, because the sender signed the public address, not the address of the process behind
      // the reverse proxy.
      return context.publicOrigin + request.path
    case '@authority':
      return new URL(context.publicOrigin).host
    case '@scheme':
      return context.publicOrigin.split(':', 1)[0] as string
    case '@request-target':
      return request.path
    case '@path':
      return path
    case '@query':
      return query === '' ? '?' : query
    default:
      return null
  }
}

/** The signature base (RFC 9421, section 2.5), or the refusal if a covered component is missing or unsupported. */
const baseOf = (
  items: readonly Item[],
  params: Parameters,
  request: SignedRequest,
  context: VerifyContext,
): string | Refused => {
  const lines: string[] = []
  for (const { item, params: own } of items) {
    if (item.type !== 'string' || own.size > 0) return refuse('unsupported-component')
    const isField = !item.value.startsWith('@')
    if (isField && item.value !== item.value.toLowerCase()) return refuse('unsupported-component')
    const value = isField ? headerOf(request.headers, item.value) : derived(item.value, request, context)
    if (value === undefined) return refuse('missing-header')
    if (value === null) return refuse('unsupported-component')
    lines.push(`${writeBareItem(item)}: ${value}`)
  }
  if (new Set(lines.map((line) => line.split(':', 1)[0])).size < lines.length) return refuse('unsupported-component')
  return [...lines, `"@signature-params": ${writeInnerList(items, params)}`].join('\n')
}

const digestFault = (request: SignedRequest): Refused | null => {
  const header = headerOf(request.headers, 'content-digest')
  if (header === undefined) return refuse('missing-header')
  const matches = contentDigestMatches(header, request.body)
  if (matches === 'malformed') return refuse('malformed-content-digest')
  return matches ? null : refuse('digest-mismatch')
}

const readClaim = (
  input: Member,
  signature: Member | undefined,
  request: SignedRequest,
  context: VerifyContext,
): Claim | Refused => {
  if (input.kind !== 'list') return refuse('malformed-signature-input')
  if (signature?.kind !== 'item' || signature.item.type !== 'bytes') return refuse('malformed-signature')
  const { items, params } = input
  const keyId = stringParam(params, 'keyid')
  if (keyId === null || !isKeyId(keyId)) return refuse('bad-key-id')
  if (context.ownHosts.has(hostOfUrl(keyId) as string)) return refuse('own-key')

  const label = params.get('alg')
  const keyType = label === undefined ? null : keyTypeOf.get(stringParam(params, 'alg') ?? '')
  if (keyType === undefined) return refuse('unsupported-algorithm')

  const covered = items.map(({ item }) => item.value)
  const needed = ['@method', '@target-uri', ...(carriesBody(request.method) ? ['content-digest'] : [])]
  if (!needed.every((name) => covered.includes(name))) return refuse('not-covered')

  const made = timeParam(params, 'created')
  const expires = timeParam(params, 'expires')
  if (made === undefined) return refuse('not-covered')
  if (made === null || expires === null) return refuse('bad-time')
  const outside = outsideWindow({ made, expires: expires ?? null }, context.now)
  if (outside !== null) return refuse(outside)
  const fault = covered.includes('content-digest') ? digestFault(request) : null
  if (fault !== null) return fault

  const base = baseOf(items, params, request, context)
  if (typeof base !== 'string') return base
  return { scheme: 'rfc9421', keyId, keyType, bases: [base], signature: signature.item.value, made }
}

const keyIdOf = (input: Member): string | null => (input.kind === 'list' ? stringParam(input.params, 'keyid') : null)

/**
 * Claims of the first `maxLabels` signatures (labels) of a request, after all checks that need no key. A signature that
 * fails a check yields its refusal.
 */
export const readMessageClaims = (request: SignedRequest, context: VerifyContext): readonly (Claim | Refused)[] => {
  if (carriesBody(request.method) === null) return [refuse('bad-method')]
  const inputs = parseDictionary(headerOf(request.headers, 'signature-input') ?? '')
  if (inputs === null) return [refuse('malformed-signature-input')]
  const signatures = parseDictionary(headerOf(request.headers, 'signature') ?? '')
  if (signatures === null) return [refuse('malformed-signature')]
  return [...inputs].slice(0, maxLabels).map(([label, input]) => {
    const claim = readClaim(input, signatures.get(label), request, context)
    return isRefused(claim) ? { ...claim, keyId: keyIdOf(input) } : claim
  })
}

const signAsync = promisify<string | null, Buffer, KeyObject, Buffer>(sign)

/** Returns the headers with `host`, `signature-input`, `signature`, and `content-digest` if there is a body. */
export const signMessage = async (request: OutgoingRequest): Promise<Record<string, string>> => {
  const url = new URL(request.url)
  const sha256 = request.body === null ? null : (request.sha256 ?? sha256Base64(request.body))
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    ...(sha256 === null ? {} : { 'content-digest': contentDigestHeader(sha256) }),
  }
  const fields = ['content-digest', 'collection-synchronization'].filter((name) => headers[name] !== undefined)
  const items = ['@method', '@target-uri', ...fields].map(
    (value): Item => ({ item: { type: 'string', value }, params: new Map() }),
  )
  const params: Parameters = new Map([
    ['created', { type: 'integer', value: String(Math.floor(request.now / 1000)) }],
    ['keyid', { type: 'string', value: request.keyId }],
  ])
  const base = baseOf(
    items,
    params,
    { method: request.method, path: url.pathname + url.search, headers, body: new Uint8Array() },
    { now: request.now, publicOrigin: url.origin, ownHosts: new Set() },
  )
  if (typeof base !== 'string') throw new Error('a request of our own cannot be signed')
  const algorithm = request.privateKey.asymmetricKeyType === 'rsa' ? 'sha256' : null
  const signature = await signAsync(algorithm, Buffer.from(base), request.privateKey)
  return {
    ...headers,
    'signature-input': `sig1=${writeInnerList(items, params)}`,
    signature: `sig1=${writeBareItem({ type: 'bytes', value: signature })}`,
  }
}
