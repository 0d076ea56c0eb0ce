/**
 * HTTP signatures of draft-cavage-12, which every server of the fediverse accepts. Verification refuses signatures that
 * do not cover target, host, a time, and the digest of a body.
 */

import { type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { type CavageParameters, parseCavageHeader } from './cavage-header.js'
import { type Claim, carriesBody, fromBase64, type VerifyContext } from './claim.js'
import { digestHeader, digestMatches, sha256Base64 } from './digest.js'
import { type Refused, refuse, type SignatureRefusal } from './refusal.js'
import {
  comparableHost,
  headerOf,
  hostOfUrl,
  isKeyId,
  isRepeated,
  type OutgoingRequest,
  type SignedRequest,
} from './request.js'
import { httpDateToMs, msToHttpDate, outsideWindow, secondsToMs, type Window } from './window.js'

/**
 * True for the algorithm `hs2019` or none: the key then determines the algorithm, and the signature may cover
 * `(created)` and `(expires)`.
 */
const isModern = ({ algorithm }: CavageParameters): boolean => algorithm === null || algorithm === 'hs2019'

/**
 * Fault of the list of covered parts; null if there is none. A signature must cover target, host, a time, and the digest of a body.
 *
 * The required coverage is stricter than in the draft, because otherwise a signature could be replayed at another
 * address or with another body.
 */
const coverageFault = (
  covered: readonly string[],
  params: CavageParameters,
  hasBody: boolean,
): SignatureRefusal | null => {
  const needed = ['(request-target)', 'host', ...(hasBody ? ['digest'] : [])]
  if (!needed.every((name) => covered.includes(name))) return 'not-covered'
  if (!covered.includes('date') && !covered.includes('(created)')) return 'not-covered'
  const ownTimes = covered.includes('(created)') || covered.includes('(expires)')
  return ownTimes && !isModern(params) ? 'unsupported-algorithm' : null
}

/**
 * Creation and expiry time of the signature; null if one of them is malformed. Times that the signature does not cover
 * are ignored.
 */
const windowOf = (covered: readonly string[], params: CavageParameters, request: SignedRequest): Window | null => {
  const created = covered.includes('(created)') ? secondsToMs(params.created ?? '') : undefined
  const expires = covered.includes('(expires)') ? secondsToMs(params.expires ?? '') : undefined
  const made = created === undefined ? httpDateToMs(headerOf(request.headers, 'date') ?? '') : created
  return made === null || expires === null ? null : { made, expires: expires ?? null }
}

const lineOf = (name: string, params: CavageParameters, request: SignedRequest, path: string): string | null => {
  if (name === '(request-target)') return `${name}: ${request.method.toLowerCase()} ${path}`
  if (name === '(created)') return `${name}: ${params.created}`
  if (name === '(expires)') return `${name}: ${params.expires}`
  const value = headerOf(request.headers, name)
  return value === undefined ? null : `${name}: ${value}`
}

const baseOf = (
  covered: readonly string[],
  params: CavageParameters,
  request: SignedRequest,
  path: string,
): string | null => {
  const lines = covered.map((name) => lineOf(name, params, request, path))
  return lines.includes(null) ? null : lines.join('\n')
}

/** Does all checks of a signature that need no key. Returns the claim that the key must verify, or the refusal. */
export const readCavageClaim = (request: SignedRequest, context: VerifyContext): Claim | Refused => {
  const hasBody = carriesBody(request.method)
  if (hasBody === null) return refuse('bad-method')
  const header = headerOf(request.headers, 'signature')
  if (header === undefined) return refuse('no-signature')
  const params = isRepeated(request.headers, 'signature') ? null : parseCavageHeader(header)
  const signature = params && fromBase64(params.signature)
  if (params === null || signature === null) return refuse('malformed-signature')
  const { keyId } = params
  if (!isKeyId(keyId)) return refuse('bad-key-id')
  if (context.ownHosts.has(hostOfUrl(keyId) as string)) return refuse('own-key', keyId)
  if (!isModern(params) && params.algorithm !== 'rsa-sha256') return refuse('unsupported-algorithm', keyId)

  const covered = params.headers ?? [isModern(params) ? '(created)' : 'date']
  const fault = coverageFault(covered, params, hasBody) ?? requestFault(covered, params, request, context)
  if (fault !== null) return refuse(fault, keyId)

  const [path = ''] = request.path.split('?', 1)
  // Many servers sign the request target without its query, so the target is tried with and without its query.
  const bases = [...new Set([request.path, path])].map((target) => baseOf(covered, params, request, target))
  if (!bases.every((base) => base !== null)) return refuse('missing-header', keyId)
  const made = windowOf(covered, params, request)?.made ?? Number.NaN
  return { scheme: 'cavage', keyId, keyType: isModern(params) ? null : 'rsa', bases, signature, made }
}

/** Fault in the values of the covered parts (host, time, digest); null if there is none. */
const requestFault = (
  covered: readonly string[],
  params: CavageParameters,
  request: SignedRequest,
  context: VerifyContext,
): SignatureRefusal | null => {
  const host = headerOf(request.headers, 'host')
  if (host === undefined) return 'missing-header'
  if (!context.ownHosts.has(comparableHost(host))) return 'wrong-host'
  const window = windowOf(covered, params, request)
  if (window === null) return 'bad-time'
  const outside = outsideWindow(window, context.now)
  if (outside !== null || !covered.includes('digest')) return outside
  const digest = headerOf(request.headers, 'digest')
  if (digest === undefined) return 'missing-header'
  return digestMatches(digest, request.body) ? null : 'digest-mismatch'
}

const signAsync = promisify<string, Buffer, KeyObject, Buffer>(sign)

/** Returns the headers with `host`, `date`, `signature`, and `digest` if there is a body. `omitQuery`: signs the path only. */
export const signCavage = async (request: OutgoingRequest): Promise<Record<string, string>> => {
  const { method, keyId, now, privateKey } = request
  const url = new URL(request.url)
  const hasBody = request.body !== null
  const digest = hasBody ? digestHeader(request.sha256 ?? sha256Base64(request.body as Uint8Array)) : undefined
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    date: msToHttpDate(now),
    ...(digest === undefined ? {} : { digest }),
  }
  const wanted = ['host', 'date', 'digest', 'content-type', 'collection-synchronization']
  const covered = [...wanted.filter((name) => headers[name] !== undefined), '(request-target)']
  const path = url.pathname + (request.omitQuery ? '' : url.search)
  const base = baseOf(
    covered,
    { keyId, signature: '', algorithm: 'rsa-sha256', created: null, expires: null, headers: covered },
    { method, path, headers, body: new Uint8Array() },
    path,
  )
  const signature = (await signAsync('sha256', Buffer.from(base as string), privateKey)).toString('base64')
  const parameters = `keyId="${keyId}",algorithm="rsa-sha256",headers="${covered.join(' ')}",signature="${signature}"`
  return { ...headers, signature: parameters }
}
