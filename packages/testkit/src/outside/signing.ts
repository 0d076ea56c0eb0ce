/**
 * HTTP signatures of remote servers: draft-cavage-12 and RFC 9421 with RSA. This implementation shares no code with the
 * product's implementation, so that each verifies the other.
 */
import { createHash, createPrivateKey, type KeyObject, sign, verify } from 'node:crypto'

export type SignatureScheme = 'cavage' | 'rfc9421'

export interface ToSign {
  scheme: SignatureScheme
  method: string
  /** Absolute URL of the request. */
  url: string
  /** Additional headers. The signature covers `collection-synchronization`, and with `cavage` also `content-type`. */
  headers?: Record<string, string>
  body?: string | Buffer
  /** Id of the key, usually `<actor>#main-key`. */
  keyId: string
  /** RSA private key as PEM. */
  privateKey: string
  /** Time of the signature; by default the current time. */
  now?: Date
}

/** Headers to send, including the signature. Names are in lower case. */
export const signHeaders = (what: ToSign): Record<string, string> =>
  what.scheme === 'cavage' ? signCavage(what) : signRfc9421(what)

const sha256 = (body: string | Buffer) => createHash('sha256').update(body).digest('base64')
/** Parsed keys by PEM. Keys are cached, because parsing a key takes longer than signing a short text. */
const keys = new Map<string, KeyObject>()
const rsa = (text: string, pem: string) => {
  const key = keys.get(pem) ?? createPrivateKey(pem)
  keys.set(pem, key)
  return sign('sha256', Buffer.from(text), key).toString('base64')
}

const signCavage = ({ method, url, headers, body, keyId, privateKey, now = new Date() }: ToSign) => {
  const { host, pathname, search } = new URL(url)
  const sent: Record<string, string> = { ...headers, host, date: now.toUTCString() }
  if (body !== undefined) sent.digest = `SHA-256=${sha256(body)}`
  const covered = ['(request-target)', 'host', 'date', 'digest', 'content-type', 'collection-synchronization'].filter(
    (name) => name === '(request-target)' || sent[name] !== undefined,
  )
  const target = `${method.toLowerCase()} ${pathname}${search}`
  const base = covered.map((name) => `${name}: ${name === '(request-target)' ? target : sent[name]}`).join('\n')
  sent.signature = `keyId="${keyId}",algorithm="rsa-sha256",headers="${covered.join(' ')}",signature="${rsa(base, privateKey)}"`
  return sent
}

const signRfc9421 = ({ method, url, headers, body, keyId, privateKey, now = new Date() }: ToSign) => {
  const sent: Record<string, string> = { ...headers, host: new URL(url).host }
  if (body !== undefined) sent['content-digest'] = `sha-256=:${sha256(body)}:`
  const lines = [`"@method": ${method.toUpperCase()}`, `"@target-uri": ${url}`]
  if (body !== undefined) lines.push(`"content-digest": ${sent['content-digest']}`)
  const field = 'collection-synchronization'
  if (sent[field] !== undefined) lines.push(`"${field}": ${sent[field]}`)
  const components = lines.map((line) => line.slice(0, line.indexOf(':'))).join(' ')
  const params = `(${components});created=${Math.floor(now.getTime() / 1000)};keyid="${keyId}"`
  const base = [...lines, `"@signature-params": ${params}`].join('\n')
  sent['signature-input'] = `sig1=${params}`
  sent.signature = `sig1=:${rsa(base, privateKey)}:`
  return sent
}

/** A request as a server received it. */
export interface Signed {
  method: string
  /** Path and query of the request line. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface VerifiedSignature {
  scheme: SignatureScheme
  keyId: string
  /** Names of the covered headers and components, in order. */
  covered: string[]
}

/** Id of the key of a signature; undefined for an unsigned request. */
export const keyIdOf = ({ headers }: Signed): string | undefined => {
  const rfc = one(headers['signature-input'])
  if (rfc !== undefined) return /;keyid="([^"]*)"/.exec(rfc)?.[1]
  return /(?:^|,)\s*keyId="([^"]*)"/.exec(one(headers.signature) ?? '')?.[1]
}

/**
 * Verifies signature and digest of a received request. Checks that the signature covers the headers that the strictest
 * servers require.
 *
 * @param publicKey PEM of the key that {@link keyIdOf} names
 * @param origin scheme and host of the receiver in the view of the sender, for `@target-uri`
 * @throws Error with the reason
 */
export const verifySigned = (request: Signed, publicKey: string, origin: string): VerifiedSignature => {
  const rfc = request.headers['signature-input'] !== undefined
  const { base, signature, ...verified } = rfc ? rfc9421Base(request, origin) : cavageBase(request)
  const isPost = request.method.toUpperCase() === 'POST'
  const required = rfc ? ['@method', '@target-uri'] : ['(request-target)', 'host', 'date']
  if (isPost) required.push(rfc ? 'content-digest' : 'digest')
  const missing = required.filter((name) => !verified.covered.includes(name))
  if (missing.length > 0) throw new Error(`not covered by the signature: ${missing.join(' ')}`)
  if (isPost) checkDigest(request, rfc)
  if (!verify('sha256', Buffer.from(base), publicKey, Buffer.from(signature, 'base64')))
    throw new Error(`the ${verified.scheme} signature does not fit the key ${verified.keyId}; base was:\n${base}`)
  return verified
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value)

const need = (request: Signed, name: string): string => {
  const value = one(request.headers[name])
  if (value === undefined) throw new Error(`the covered header ${name} is missing`)
  return value.trim()
}

const cavageBase = (request: Signed) => {
  const text = need(request, 'signature')
  const params: Record<string, string | undefined> = Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const covered = (params.headers ?? 'date').split(' ')
  const line = (name: string) =>
    name === '(request-target)' ? `${request.method.toLowerCase()} ${request.path}` : need(request, name)
  const base = covered.map((name) => `${name}: ${line(name)}`).join('\n')
  return { scheme: 'cavage' as const, keyId: params.keyId ?? '', covered, base, signature: params.signature ?? '' }
}

const rfc9421Base = (request: Signed, origin: string) => {
  const input = need(request, 'signature-input')
  const [, label, params, list, keyId] = /^(\w+)=(\(([^)]*)\).*?;keyid="([^"]*)".*)$/.exec(input) ?? []
  if (!label || list === undefined) throw new Error(`Signature-Input is malformed: ${input}`)
  const covered = [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name!)
  const component = (name: string) =>
    name === '@method' ? request.method : name === '@target-uri' ? `${origin}${request.path}` : need(request, name)
  const base = [...covered.map((name) => `"${name}": ${component(name)}`), `"@signature-params": ${params}`].join('\n')
  const signature = new RegExp(`(?:^|,)\\s*${label}=:([^:]*):`).exec(need(request, 'signature'))?.[1] ?? ''
  return { scheme: 'rfc9421' as const, keyId: keyId ?? '', covered, base, signature }
}

const checkDigest = (request: Signed, rfc: boolean): void => {
  const stated = need(request, rfc ? 'content-digest' : 'digest')
  const found = rfc ? /sha-256=:([^:]*):/.exec(stated)?.[1] : /sha-256=([^,]*)/i.exec(stated)?.[1]
  if (found !== sha256(request.body)) throw new Error(`the digest does not fit the body: ${stated}`)
}
