/** Looks up handles by WebFinger (RFC 7033). */
import {
  type IncomingWebFinger,
  readWebFinger,
  webFingerFromHostMeta,
} from '@murmuration/activitypub/vocabulary/read-webfinger'
import { readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { parseRead } from './document.js'
import { type DocumentFetcher, type Failed, failed } from './document-fetcher.js'

export type Handle = { username: string; domain: string }
export type WebFingerResult = { ok: true; finger: IncomingWebFinger }

const jrdTypes = 'application/jrd+json, application/json'
const TIMEOUT_MS = 10_000

const sameHandle = (a: Handle, b: Handle): boolean =>
  a.domain === b.domain && a.username.toLowerCase() === b.username.toLowerCase()

const lookUpAt = async (fetcher: DocumentFetcher, address: Uri | null): Promise<WebFingerResult | Failed> => {
  if (address === null) return failed('refused')
  const read = await fetcher.read(address, { kind: 'webfinger', accept: jrdTypes, timeoutMs: TIMEOUT_MS })
  if (!read.ok) return read
  const parsed = parseRead(read)
  const finger = parsed.ok ? readWebFinger(parsed.document) : null
  return finger === null ? failed('refused') : { ok: true, finger }
}

/** Address of the WebFinger query from `host-meta` (RFC 6415), for the few hosts that moved it; null if there is none. */
const hostMeta = async (fetcher: DocumentFetcher, base: string, resource: string): Promise<Uri | null> => {
  const address = readUri(`${base}/.well-known/host-meta`)
  const read =
    address &&
    (await fetcher.read(address, {
      kind: 'webfinger',
      accept: 'application/xrd+xml, */*;q=0.1',
      timeoutMs: TIMEOUT_MS,
    }))
  return read?.ok ? webFingerFromHostMeta(read.body.toString('utf8'), resource) : null
}

/** WebFinger result of a domain for one of its handles. `scheme` is `http` only in a test network. */
export const lookUpWebFinger = async (
  fetcher: DocumentFetcher,
  handle: Handle,
  scheme: 'https' | 'http',
): Promise<WebFingerResult | Failed> => {
  const base = `${scheme}://${handle.domain}`
  const resource = `acct:${handle.username}@${handle.domain}`
  const first = await lookUpAt(
    fetcher,
    readUri(`${base}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`),
  )
  if (first.ok || first.outcome !== 'not-found') return first
  const elsewhere = await hostMeta(fetcher, base, resource)
  return elsewhere === null ? first : lookUpAt(fetcher, elsewhere)
}

/**
 * The handle that WebFinger confirms, and the actors that it names.
 *
 * If the subject of the response is another handle, its domain is queried too. The response of that domain must have
 * the same subject.
 */
export const confirmHandle = async (
  fetcher: DocumentFetcher,
  handle: Handle,
  scheme: 'https' | 'http',
): Promise<WebFingerResult | Failed> => {
  const first = await lookUpWebFinger(fetcher, handle, scheme)
  if (!first.ok || sameHandle(first.finger.subject, handle)) return first
  const second = await lookUpWebFinger(fetcher, first.finger.subject, scheme)
  if (!second.ok) return second
  return sameHandle(second.finger.subject, first.finger.subject) ? second : failed('refused')
}
