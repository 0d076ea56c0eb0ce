/** Fetches collections of statuses page by page, within bounds. All pages must be on one server, and each is fetched once. */

import { type JsonObject, prop, type Ref, refOf, typesOf } from '@murmuration/activitypub/vocabulary/json'
import { type IncomingCollection, readCollection } from '@murmuration/activitypub/vocabulary/read-collection'
import { readNote } from '@murmuration/activitypub/vocabulary/read-note'
import { hostOf, isPublic, sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { FetchedNote } from '@murmuration/contracts/federation'
import { isOurs } from '../core/activity/authority.rules.js'
import { hostAccess } from '../core/host/hosts.js'
import { remoteNote } from '../core/remote-object/note.rules.js'
import type { FetchContext } from './actor.js'
import { readSource } from './document.js'
import { type Failed, failed } from './document-fetcher.js'

export interface Bounds {
  /** Maximum number of items that are read from all pages together. */
  max: number
  /** Maximum number of requests, including the request for the first document. */
  pages: number
}

/**
 * Items of a collection. `note`: null for an item that must be fetched. `pages`: number of requests. `next`: address of the next
 * page; null at the end. `ended`: failure of a page after the first document; null if there was none.
 */
export interface Listed {
  ok: true
  items: { uri: Uri; note: FetchedNote | null }[]
  pages: number
  next: Uri | null
  ended: Failed | null
}

/** Status of a collection item: the item itself, or the object of a Create. Null for other activities, such as an Announce. */
const publishedIn = (item: Ref): Ref | null => {
  const { node } = item
  if (node === null || prop(node, 'object') === undefined) return item
  return typesOf(node).includes('Create') ? refOf(prop(node, 'object')) : null
}

/** The embedded copy of a status; null if it must be fetched. A copy counts if it is public and on the server of the collection. */
const noteOf = (context: FetchContext, node: JsonObject | null, origin: Uri, now: number): FetchedNote | null => {
  const read = node === null ? null : readNote(node)
  if (!read?.ok || !sameOrigin(read.note.uri, origin)) return null
  const { to, cc } = read.note.addressing
  const author = read.note.attributedTo.find((it) => sameOrigin(it, origin))
  if (author === undefined || ![...to, ...cc].some(isPublic)) return null
  return remoteNote(read.note, { author, followers: null, own: context.self, now })
}

const itemsOf = (context: FetchContext, page: IncomingCollection, origin: Uri, now: number): Listed['items'] =>
  page.items.flatMap((item) => {
    const status = publishedIn(item)
    if (status === null || status.id === null || isOurs(status.id, context.self.ownHosts)) return []
    if (hostAccess(context, hostOf(status.id) as string) !== 'open') return []
    return [{ uri: status.id, note: noteOf(context, status.node, origin, now) }]
  })

/** Next page of a collection: embedded in the document, or at an address. */
type Step = { node: JsonObject } | { uri: Uri }

/** The page that a reference names. An embedded page without items and links must be fetched. */
const stepTo = (ref: Ref | null): Step | null => {
  if (ref === null) return null
  const { node, id } = ref
  const holds =
    node !== null && ['first', 'items', 'orderedItems', 'next'].some((name) => prop(node, name) !== undefined)
  return holds ? { node } : id === null ? null : { uri: id }
}

const stepAfter = (page: IncomingCollection): Step | null =>
  page.isPage || page.first === null ? page.next && { uri: page.next } : stepTo(page.first)

const read = (context: FetchContext, uri: Uri): Promise<{ ok: true; document: JsonObject } | Failed> =>
  readSource(context.fetcher, uri, { kind: 'collection', ownHosts: context.self.ownHosts })

/**
 * Reads a collection page by page. All pages must be on the origin of `origin`.
 *
 * Fails if the first document is unreadable or no collection. A later unreadable page ends the walk, and is `next` if a retry
 * may succeed.
 */
export const walk = async (
  context: FetchContext,
  from: Step,
  origin: Uri,
  bounds: Bounds,
  now: number,
): Promise<Listed | Failed> => {
  const items = new Map<Uri, FetchedNote | null>()
  const seen = new Set<Uri>()
  let step: Step | null = from
  let unread: Uri | null = null
  let ended: Failed | null = null
  // Each page links to the next page. Embedded pages need no request, so the number of pages is limited as well.
  for (let rounds = 0; step !== null && items.size < bounds.max && rounds < bounds.pages * 2 + 2; rounds++) {
    const here: Step = step
    if ('uri' in here && (seen.size === bounds.pages || seen.has(here.uri))) break
    if ('uri' in here) seen.add(here.uri)
    const found: { ok: true; document: JsonObject } | Failed =
      'uri' in here ? await read(context, here.uri) : { ok: true as const, document: here.node }
    if (!found.ok && items.size === 0 && rounds === 0) return found
    if (!found.ok && found.outcome === 'later' && 'uri' in here) unread = here.uri
    const page: IncomingCollection | null = found.ok
      ? readCollection(found.document, { origin, max: bounds.max })
      : null
    if (found.ok && page === null && rounds === 0) return failed('refused')
    if (page === null || page.incomplete) ended ??= found.ok ? failed('refused') : found
    for (const item of page ? itemsOf(context, page, origin, now) : [])
      if (items.size < bounds.max) items.set(item.uri, item.note)
    step = page && stepAfter(page)
  }
  const next = step !== null && 'uri' in step && !seen.has(step.uri) ? step.uri : unread
  return { ok: true, items: [...items].map(([uri, note]) => ({ uri, note })), pages: seen.size, next, ended }
}

/** First page of the `replies` of a status; null if it has none. */
export const repliesOf = (document: JsonObject): Step | null => stepTo(refOf(prop(document, 'replies')))
