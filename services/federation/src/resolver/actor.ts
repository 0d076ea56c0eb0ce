/** Fetches remote actors: the document from its own address, the handle confirmed by WebFinger, keys, and counts. */

import type { IncomingActor, IncomingKey } from '@murmuration/activitypub/vocabulary/actor'
import type { JsonObject } from '@murmuration/activitypub/vocabulary/json'
import { preferredUsernameOf, readActor } from '@murmuration/activitypub/vocabulary/read-actor'
import { type IncomingCollection, readCollection } from '@murmuration/activitypub/vocabulary/read-collection'
import { claimsKey, readKeyDocument } from '@murmuration/activitypub/vocabulary/read-key'
import { hostOf, readDomain, readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { RemoteActor } from '@murmuration/contracts/accounts'
import type { TrustedUri } from '../core/activity/authority.rules.js'
import type { Self } from '../core/address/self.js'
import { type HostRules, hostAccess } from '../core/host/hosts.js'
import { noTotals, remoteActor, type Totals } from '../core/remote-object/actor.rules.js'
import { type Document, documentAt, parseRead, readDocument, readSource } from './document.js'
import { type DocumentFetcher, documentTypes, type Failed, failed } from './document-fetcher.js'
import { confirmHandle, type Handle } from './webfinger.js'

export type FetchContext = HostRules & { fetcher: DocumentFetcher; self: Self }
export type FoundActor = { ok: true; actor: RemoteActor; followers: Uri | null }

const COLLECTION_MS = 5_000
/** Maximum number of keys that are fetched because the actor document names only their addresses. */
const MAX_POINTED = 3

const schemeOf = (uri: string): 'https' | 'http' => (uri.startsWith('http:') ? 'http' : 'https')

/** Scheme of a domain: https, except for domains with a port in a test network. */
const schemeFor = (context: FetchContext, domain: string): 'https' | 'http' =>
  context.config.allowAddresses.length > 0 && /:\d+$/.test(domain) ? 'http' : 'https'

/**
 * The handle of an actor that its domain confirms by WebFinger: the claimed handle, else the handle on the actor's own
 * host.
 */
const proveHandle = async (
  context: FetchContext,
  actor: IncomingActor,
  document: JsonObject,
): Promise<{ ok: true; handle: Handle } | Failed> => {
  const own = { username: preferredUsernameOf(document) ?? actor.username, domain: hostOf(actor.uri) as string }
  const claims = actor.handle.domain === own.domain ? [own] : [actor.handle, own]
  let last: Failed = failed('refused')
  let isOthers = false
  for (const claim of claims) {
    if (context.self.ownDomains.has(claim.domain)) continue
    const found = await confirmHandle(context.fetcher, claim, schemeOf(actor.uri))
    // An actor of a blocked domain is not accepted under another handle.
    if (!found.ok && found.outcome === 'blocked') return found
    isOthers ||= found.ok
    if (
      found.ok &&
      found.finger.actors.includes(actor.uri) &&
      !context.self.ownDomains.has(found.finger.subject.domain)
    )
      return { ok: true, handle: found.finger.subject }
    if (!found.ok && found.outcome === 'later') last = found
  }
  // Instance actors often have no WebFinger. The handle of an instance actor on its own host is accepted, unless
  // WebFinger of that host names another actor.
  return last.outcome !== 'later' &&
    !isOthers &&
    actor.kind === 'Application' &&
    !context.self.ownDomains.has(own.domain)
    ? { ok: true, handle: own }
    : last
}

/** The key at an address; null if the document there is no key of this actor, `unread` if it cannot be fetched now. */
const pointedKey = async (
  context: FetchContext,
  actor: Uri,
  keyUri: Uri,
): Promise<Pick<IncomingKey, 'id' | 'text'> | { unread: Uri } | null> => {
  const source = await readSource(context.fetcher, keyUri, { kind: 'key', ownHosts: context.self.ownHosts })
  if (!source.ok) return source.outcome === 'later' ? { unread: keyUri } : null
  const key = readKeyDocument(source.document, keyUri)
  return key?.owner === actor ? key : null
}

/**
 * The actor's keys as PEM, one per id, and ids of keys that cannot be fetched now. Keys of unsupported types, or with
 * another owner, are left out. Fails if no key is usable and one cannot be fetched now.
 */
const keysOf = async (
  context: FetchContext,
  actor: IncomingActor,
): Promise<{ ok: true; list: { id: string; pem: string }[]; unread: Uri[] } | Failed> => {
  const pointed = await Promise.all(
    actor.keyUris.slice(0, MAX_POINTED).map((uri) => pointedKey(context, actor.uri, uri)),
  )
  const keys = new Map<string, { id: string; pem: string }>()
  const unread: Uri[] = []
  for (const key of [...actor.keys, ...pointed]) {
    if (key === null) continue
    if ('unread' in key) {
      unread.push(key.unread)
      continue
    }
    const parsed = keys.has(key.id) ? null : context.self.keys.verification(key.text)
    if (parsed !== null)
      keys.set(key.id, { id: key.id, pem: parsed.key.export({ type: 'spki', format: 'pem' }) as string })
  }
  return keys.size === 0 && unread.length > 0 ? failed('later') : { ok: true, list: [...keys.values()], unread }
}

const collection = async (context: FetchContext, uri: Uri | null): Promise<IncomingCollection | null> => {
  if (uri === null) return null
  const read = await context.fetcher.read(uri, { kind: 'collection', accept: documentTypes, timeoutMs: COLLECTION_MS })
  const parsed = read.ok ? parseRead(read) : null
  return parsed?.ok ? readCollection(parsed.document, { origin: uri, max: 0 }) : null
}

const totalsOf = async (context: FetchContext, actor: IncomingActor): Promise<Totals> => {
  const [followers, following, outbox] = await Promise.all(
    [actor.followers, actor.following, actor.outbox].map((uri) => collection(context, uri)),
  )
  return {
    followers: followers?.totalItems ?? null,
    following: following?.totalItems ?? null,
    statuses: outbox?.totalItems ?? null,
    hidden: followers ? followers.hidden : null,
  }
}

/** True if the instance policy allows accounts with handles of this domain. */
const isWelcome = (context: FetchContext, domain: string): boolean => hostAccess(context, domain) === 'open'

/**
 * Converts the actor in a proved document. `handle`: a handle that is already confirmed. `totals`: fetch the counts of
 * its collections too.
 */
export const buildActor = async (
  context: FetchContext,
  proved: { uri: TrustedUri; document: JsonObject },
  options: { handle?: Handle; totals: boolean },
): Promise<FoundActor | Failed> => {
  const read = readActor(proved.document, { fetched: true })
  if (!read.ok || read.actor.uri !== proved.uri) return failed('refused')
  const { actor } = read
  const handle = options.handle
    ? { ok: true as const, handle: options.handle }
    : await proveHandle(context, actor, proved.document)
  if (!handle.ok) return handle
  if (!isWelcome(context, handle.handle.domain)) return failed('blocked')
  const [keys, totals] = await Promise.all([
    keysOf(context, actor),
    options.totals ? totalsOf(context, actor) : noTotals,
  ])
  if (!keys.ok) return keys
  // An actor without keys is accepted, but its activities cannot be verified. An actor whose `publicKey` has only
  // unusable keys is refused.
  if (keys.list.length === 0 && claimsKey(proved.document)) return failed('refused')
  const found = remoteActor(actor, { handle: handle.handle, keys: keys.list, unread: keys.unread, totals })
  return { ok: true, actor: found, followers: actor.followers }
}

/**
 * Fetches the actor at an address, which may be its id or a page of it. The id is on the server of the address, unless
 * `elsewhere` is true.
 */
export const actorByUri = async (
  context: FetchContext,
  text: string,
  elsewhere = false,
): Promise<FoundActor | Failed> => {
  const uri = readUri(text)
  if (uri === null) return failed('refused')
  const { fetcher, self } = context
  const document = await documentAt(fetcher, uri, {
    kind: 'actor',
    accept: documentTypes,
    ownHosts: self.ownHosts,
    elsewhere,
  })
  return document.ok ? buildActor(context, document, { totals: true }) : document
}

const firstGood = async (context: FetchContext, uris: readonly Uri[], handle: Handle): Promise<FoundActor | Failed> => {
  let last: FoundActor | Failed = failed('refused')
  for (const uri of uris.slice(0, 2)) {
    const document: Document | Failed = await readDocument(context.fetcher, uri, {
      kind: 'actor',
      ownHosts: context.self.ownHosts,
      exact: true,
    })
    // WebFinger suffices for an actor on the domain of the handle. An actor on another host must claim the handle itself.
    const own = hostOf(uri) === handle.domain ? { handle } : {}
    last = document.ok ? await buildActor(context, document, { ...own, totals: true }) : document
    if (last.ok && last.actor.uri === uri && last.actor.type !== 'Group') return last
  }
  return last
}

/** Fetches the actor of a handle `name@domain`. WebFinger returns its address, which must be the id in its document. */
export const actorByHandle = async (context: FetchContext, text: string): Promise<FoundActor | Failed> => {
  const [username = '', host] = text.replace(/^(?:acct:|@)/i, '').split('@')
  const domain = readDomain(host)
  if (domain === null || username === '') return failed('refused')
  if (context.self.ownDomains.has(domain)) return failed('local')
  if (!isWelcome(context, domain)) return failed('blocked')
  const found = await confirmHandle(context.fetcher, { username, domain }, schemeFor(context, domain))
  if (!found.ok) return found
  const { subject, actors } = found.finger
  return context.self.ownDomains.has(subject.domain) ? failed('refused') : firstGood(context, actors, subject)
}
