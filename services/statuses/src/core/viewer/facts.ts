/**
 * Loads the facts of a page of statuses. Revision facts are cached in memory, current facts are read each time. Pages
 * that are requested at the same moment share a query.
 */
import type { Database, Reader } from '@murmuration/db'
import { createBatcher, createMemoryCache, type MemoryCache } from '@murmuration/flow'
import {
  type CurrentFactRow,
  currentFactsOf,
  type Fact,
  factsOf,
  type RevisionFacts,
  type ViewerState,
} from './fact.store.js'

/** Revision facts by status id, of the latest revision that was read. */
export type RevisionFactCache = MemoryCache<RevisionFacts>

export const createRevisionFactCache = (): RevisionFactCache => createMemoryCache({ max: 20_000 })

const revisionFactsOf = (fact: Fact): RevisionFacts => ({
  id: fact.id,
  rev: fact.rev,
  author_id: fact.author_id,
  local: fact.local,
  uri: fact.uri,
  visibility: fact.visibility,
  reblog_of_id: fact.reblog_of_id,
  reblog_of_author_id: fact.reblog_of_author_id,
  in_reply_to_id: fact.in_reply_to_id,
  in_reply_to_author_id: fact.in_reply_to_author_id,
  in_reply_to_account_id: fact.in_reply_to_account_id,
  is_reply: fact.is_reply,
  listed: fact.listed,
  conversation_id: fact.conversation_id,
  media_ids: fact.media_ids,
  tags: fact.tags,
  poll_id: fact.poll_id,
  sensitive: fact.sensitive,
  language: fact.language,
  application: fact.application,
  mentions: fact.mentions,
})

interface CachedPage {
  viewer: string | null
  known: readonly RevisionFacts[]
}

/**
 * Returns facts by status id, for the statuses of a page whose cached revision is still current. All other statuses are
 * missing from the result, and the caller reads all their facts from rows.
 */
export type FactLoader = (page: CachedPage) => Promise<Map<string, Fact>>

/** Viewer state of a viewer who has no favourite, boost, bookmark, pin, mute or filter for a status. */
export const NO_VIEWER_STATE: ViewerState = {
  favourited: false,
  reblogged: false,
  bookmarked: false,
  muted: false,
  pinned: false,
  filter_rev: null,
}

/** State and filter revision of one viewer; null if there are neither. */
const viewerStateOf = (viewer: string | null, { marks, filters }: CurrentFactRow): Partial<ViewerState> | null => {
  if (viewer === null || (marks === null && filters === null)) return null
  const own = marks?.filter(([who]) => who === viewer).map(([, kind]) => [kind, true])
  const filter_rev = filters?.[viewer]
  return { ...(own && Object.fromEntries(own)), ...(filter_rev === undefined ? {} : { filter_rev }) }
}

/** Splits the rows into facts for each page. Pages whose viewers have no state share one object per status. */
const factsByPage = (pages: readonly CachedPage[], rows: readonly CurrentFactRow[]): Map<string, Fact>[] => {
  const currentRows = new Map(rows.map((row) => [row.id, row]))
  const plain = new Map<RevisionFacts, Fact>()
  return pages.map(({ viewer, known }) => {
    const facts = new Map<string, Fact>()
    for (const fixed of known) {
      const row = currentRows.get(fixed.id)
      if (row?.rev !== fixed.rev) continue
      let fact = plain.get(fixed)
      if (!fact) {
        const { marks: _marks, filters: _filters, ...changing } = row
        fact = { ...fixed, ...changing, ...NO_VIEWER_STATE }
        plain.set(fixed, fact)
      }
      const marks = viewerStateOf(viewer, row)
      facts.set(fixed.id, marks ? { ...fact, ...marks } : fact)
    }
    return facts
  })
}

/** Maximum number of pages per query, and of concurrent queries. */
const BATCH = { max: 32, concurrency: 4 }
/**
 * Maximum number of statuses of a page that shares a query. A larger page has its own query, so that no small page
 * waits for it.
 */
const MAX_BATCHED_STATUSES = 100

export const createFactLoader = ({ db }: { db: Reader }): FactLoader => {
  const read = async (pages: readonly CachedPage[]) => factsByPage(pages, await currentFactsOf(db, pages))
  const readBatched = createBatcher(read, BATCH)
  return async (page) => {
    if (page.known.length <= MAX_BATCHED_STATUSES) return readBatched(page)
    const [facts] = await read([page])
    return facts ?? new Map()
  }
}

/** Revision facts of a status and of the original that it boosts; null if one of them is not cached. */
const cachedWithOriginal = (known: RevisionFactCache, id: string): RevisionFacts[] | null => {
  const fixed = known.get(id)
  if (!fixed) return null
  if (fixed.reblog_of_id === null) return [fixed]
  const original = known.get(fixed.reblog_of_id)
  return original ? [fixed, original] : null
}

interface Needs {
  readonly db: Database
  readonly revisionFactCache: RevisionFactCache
  readonly loadFacts: FactLoader
}

const readAllFacts = async (ctx: Needs, viewer: string | null, ids: readonly string[]): Promise<Map<string, Fact>> => {
  const facts = await factsOf(ctx.db, viewer, ids)
  for (const fact of facts.values()) ctx.revisionFactCache.set(fact.id, revisionFactsOf(fact))
  return facts
}

/**
 * Facts by id, of these statuses and of the originals that they boost. Deleted and unknown statuses are missing. The
 * facts need one query if the revision facts of all statuses are cached, or of none. If some are not cached, two queries
 * are needed, and three if some statuses were also edited or deleted.
 */
export const pageFacts = async (
  ctx: Needs,
  viewer: string | null,
  ids: readonly string[],
): Promise<Map<string, Fact>> => {
  const known = new Map<string, RevisionFacts>()
  const unknown: string[] = []
  for (const id of ids) {
    const found = cachedWithOriginal(ctx.revisionFactCache, id)
    if (found) for (const fixed of found) known.set(fixed.id, fixed)
    else unknown.push(id)
  }
  const [cached, facts] = await Promise.all([
    known.size ? ctx.loadFacts({ viewer, known: [...known.values()] }) : new Map<string, Fact>(),
    readAllFacts(ctx, viewer, unknown),
  ])
  for (const [id, fact] of cached) facts.set(id, fact)
  const others = [...known.keys()].filter((id) => !cached.has(id))
  for (const [id, fact] of await readAllFacts(ctx, viewer, others)) facts.set(id, fact)
  return facts
}
