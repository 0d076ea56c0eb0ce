/**
 * Facts of a page. Fixed facts are cached in memory, changing facts are read each time. Pages that are requested at the
 * same moment share a query.
 */
import type { Database, Reader } from '@murmuration/db'
import { createBatcher, createMemoryCache, type MemoryCache } from '@murmuration/flow'
import { type Fact, type Fixed, type Fresh, factsOf, freshOf, type ViewerState } from './fact.store.js'

/** Fixed facts by status id, of the latest revision that was read. */
export type KnownFixed = MemoryCache<Fixed>

export const createKnownFixed = (): KnownFixed => createMemoryCache({ most: 20_000 })

const fixedOf = (fact: Fact): Fixed => ({
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

interface KnownPage {
  viewer: string | null
  known: readonly Fixed[]
}

/**
 * Returns facts by status id, for the statuses of a page whose cached revision is still current. All other statuses are
 * missing from the result, and the caller reads all their facts from rows.
 */
export type FreshFacts = (page: KnownPage) => Promise<Map<string, Fact>>

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
const viewerStateOf = (viewer: string | null, { marks, filters }: Fresh): Partial<ViewerState> | null => {
  if (viewer === null || (marks === null && filters === null)) return null
  const own = marks?.filter(([who]) => who === viewer).map(([, kind]) => [kind, true])
  const filter_rev = filters?.[viewer]
  return { ...(own && Object.fromEntries(own)), ...(filter_rev === undefined ? {} : { filter_rev }) }
}

/** Splits the rows into facts for each page. Pages whose viewers have no state share one object per status. */
const divide = (pages: readonly KnownPage[], rows: readonly Fresh[]): Map<string, Fact>[] => {
  const fresh = new Map(rows.map((row) => [row.id, row]))
  const plain = new Map<Fixed, Fact>()
  return pages.map(({ viewer, known }) => {
    const facts = new Map<string, Fact>()
    for (const fixed of known) {
      const row = fresh.get(fixed.id)
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
const TOGETHER = { most: 32, concurrency: 4 }
/**
 * Maximum number of statuses of a page that shares a query. A larger page has its own query, so that no small page
 * waits for it.
 */
const FEW = 100

export const createFreshFacts = ({ db }: { db: Reader }): FreshFacts => {
  const read = async (pages: readonly KnownPage[]) => divide(pages, await freshOf(db, pages))
  const together = createBatcher(read, TOGETHER)
  return async (page) => {
    if (page.known.length <= FEW) return together(page)
    const [facts] = await read([page])
    return facts ?? new Map()
  }
}

/** Fixed facts of a status and of the original that it boosts; null if one of them is not cached. */
const knownWith = (known: KnownFixed, id: string): Fixed[] | null => {
  const fixed = known.get(id)
  if (!fixed) return null
  if (fixed.reblog_of_id === null) return [fixed]
  const original = known.get(fixed.reblog_of_id)
  return original ? [fixed, original] : null
}

interface Needs {
  readonly db: Database
  readonly knownFixed: KnownFixed
  readonly freshFacts: FreshFacts
}

const readWhole = async (ctx: Needs, viewer: string | null, ids: readonly string[]): Promise<Map<string, Fact>> => {
  const facts = await factsOf(ctx.db, viewer, ids)
  for (const fact of facts.values()) ctx.knownFixed.set(fact.id, fixedOf(fact))
  return facts
}

/**
 * Facts by id, of these statuses and of the originals that they boost. Deleted and unknown statuses are missing. The
 * facts need one query if the fixed facts of all statuses are cached, or of none. If some are not cached, two queries
 * are needed, and three if some statuses were also edited or deleted.
 */
export const pageFacts = async (
  ctx: Needs,
  viewer: string | null,
  ids: readonly string[],
): Promise<Map<string, Fact>> => {
  const known = new Map<string, Fixed>()
  const unknown: string[] = []
  for (const id of ids) {
    const found = knownWith(ctx.knownFixed, id)
    if (found) for (const fixed of found) known.set(fixed.id, fixed)
    else unknown.push(id)
  }
  const [fresh, facts] = await Promise.all([
    known.size ? ctx.freshFacts({ viewer, known: [...known.values()] }) : new Map<string, Fact>(),
    readWhole(ctx, viewer, unknown),
  ])
  for (const [id, fact] of fresh) facts.set(id, fact)
  const others = [...known.keys()].filter((id) => !fresh.has(id))
  for (const [id, fact] of await readWhole(ctx, viewer, others)) facts.set(id, fact)
  return facts
}
