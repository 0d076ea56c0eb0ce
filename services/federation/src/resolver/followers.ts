/** Fetches the list of local followers of a remote account from its server, page by page (FEP-8fcf). */
import type { JsonObject, Ref } from '@murmuration/activitypub/vocabulary/json'
import { readCollection } from '@murmuration/activitypub/vocabulary/read-collection'
import { readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { FetchContext } from './actor.js'
import { readSource } from './document.js'
import { type Failed, failed } from './document-fetcher.js'

/** Maximum number of pages per call, and number of actor ids from which a call fetches no further page. */
const MAX_PAGES = 10
const ENOUGH = 5_000
/** Maximum number of actor ids in one document. A larger number does not fit into the size limit of a response. */
const MAX_IN_PAGE = 25_000

export interface FollowersPiece {
  ok: true
  uris: Uri[]
  /** Address of the next page of followers; null at the end. */
  next: Uri | null
}

/**
 * Fetches the actor ids of the list at `uri` and of its next pages, and the address of the first page that was not
 * fetched. Fails if a page is unreadable or too large.
 */
export const readFollowers = async (context: FetchContext, uri: Uri): Promise<FollowersPiece | Failed> => {
  const found = new Set<Uri>()
  const visited = new Set<Uri>()
  const read = (at: Uri) => readSource(context.fetcher, at, { kind: 'collection', ownHosts: context.self.ownHosts })
  let step: Uri | JsonObject | null = uri
  // Each page links to the next page. A page that is embedded in the document of the collection is read without a
  // request.
  while (step !== null && (typeof step !== 'string' || (visited.size < MAX_PAGES && found.size < ENOUGH))) {
    if (typeof step === 'string' && visited.has(step)) return failed('refused')
    if (typeof step === 'string') visited.add(step)
    const page: { ok: true; document: JsonObject } | Failed =
      typeof step === 'string' ? await read(step) : { ok: true, document: step }
    if (!page.ok) return page
    const collection = readCollection(page.document, { origin: uri, max: MAX_IN_PAGE + 1 })
    if (collection === null || collection.incomplete || collection.items.length > MAX_IN_PAGE) return failed('refused')
    for (const item of collection.items) if (item.id !== null) found.add(item.id)
    const first: Ref | null = collection.isPage || collection.items.length > 0 ? null : collection.first
    step = first?.node ?? first?.id ?? collection.next
  }
  return { ok: true, uris: [...found], next: readUri(step) }
}
