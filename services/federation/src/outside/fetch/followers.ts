/** Reads the followers that another server counts here: ids of actors, page by page, on that one server. */
import type { Loose, Ref } from '../../vocabulary/loose.js'
import { readCollection } from '../../vocabulary/read-collection.js'
import type { Uri } from '../../vocabulary/uri.js'
import type { Place } from './actor.js'
import { readSource } from './document.js'
import { type Failed, failed } from './reader.js'

const MOST_PAGES = 10
/** Actor ids in all. */
const MOST = 5_000

/** All of them, or why they cannot be known: half a list would be worse than none. */
export const readFollowers = async (place: Place, uri: Uri): Promise<{ ok: true; uris: Uri[] } | Failed> => {
  const found = new Set<Uri>()
  const read = (at: Uri) => readSource(place.reader, at, { kind: 'collection', ownHosts: place.self.ownHosts })
  let step: Uri | Loose | null = uri
  // Each page names the next one.
  for (let pages = 0; step !== null; pages++) {
    if (pages === MOST_PAGES) return failed('refused')
    const page: { ok: true; document: Loose } | Failed =
      typeof step === 'string' ? await read(step) : { ok: true, document: step }
    if (!page.ok) return page
    const collection = readCollection(page.document, { origin: uri, most: MOST + 1 })
    if (collection === null) return failed('refused')
    for (const item of collection.items) if (item.id !== null) found.add(item.id)
    if (found.size > MOST) return failed('refused')
    const first: Ref | null = collection.isPage || collection.items.length > 0 ? null : collection.first
    step = first?.node ?? first?.id ?? collection.next
  }
  return { ok: true, uris: [...found] }
}
