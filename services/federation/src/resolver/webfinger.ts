/** Looks up handles by WebFinger, and proves a handle in both directions. */
import {
  type IncomingWebFinger,
  readWebFinger,
  webFingerFromHostMeta,
} from '@murmuration/activitypub/vocabulary/read-webfinger'
import { readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { parseRead } from './document.js'
import { type Failed, failed, type Reader } from './reader.js'

export type Handle = { username: string; domain: string }
export type Finger = { ok: true; finger: IncomingWebFinger }

const jrdTypes = 'application/jrd+json, application/json'
const TIMEOUT_MS = 10_000

const sameHandle = (a: Handle, b: Handle): boolean =>
  a.domain === b.domain && a.username.toLowerCase() === b.username.toLowerCase()

const askAt = async (reader: Reader, address: Uri | null): Promise<Finger | Failed> => {
  if (address === null) return failed('refused')
  const read = await reader.read(address, { kind: 'webfinger', accept: jrdTypes, timeoutMs: TIMEOUT_MS })
  if (!read.ok) return read
  const parsed = parseRead(read)
  const finger = parsed.ok ? readWebFinger(parsed.document) : null
  return finger === null ? failed('refused') : { ok: true, finger }
}

/** Address of WebFinger by host-meta, for the few hosts that moved it. */
const hostMeta = async (reader: Reader, base: string, resource: string): Promise<Uri | null> => {
  const address = readUri(`${base}/.well-known/host-meta`)
  const read =
    address &&
    (await reader.read(address, { kind: 'webfinger', accept: 'application/xrd+xml, */*;q=0.1', timeoutMs: TIMEOUT_MS }))
  return read?.ok ? webFingerFromHostMeta(read.body.toString('utf8'), resource) : null
}

/** Response of a domain to a WebFinger query for one of its handles. `scheme` is plain http only inside a test network. */
export const askWebFinger = async (
  reader: Reader,
  handle: Handle,
  scheme: 'https' | 'http',
): Promise<Finger | Failed> => {
  const base = `${scheme}://${handle.domain}`
  const resource = `acct:${handle.username}@${handle.domain}`
  const first = await askAt(reader, readUri(`${base}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`))
  if (first.ok || first.outcome !== 'not-found') return first
  const elsewhere = await hostMeta(reader, base, resource)
  return elsewhere === null ? first : askAt(reader, elsewhere)
}

/**
 * The handle as its own domain confirms it, and the actors it points to. A subject on another domain counts only when that
 * domain repeats it: one hop, never more.
 */
export const confirmHandle = async (
  reader: Reader,
  handle: Handle,
  scheme: 'https' | 'http',
): Promise<Finger | Failed> => {
  const first = await askWebFinger(reader, handle, scheme)
  if (!first.ok || sameHandle(first.finger.subject, handle)) return first
  const second = await askWebFinger(reader, first.finger.subject, scheme)
  if (!second.ok) return second
  return sameHandle(second.finger.subject, first.finger.subject) ? second : failed('refused')
}
