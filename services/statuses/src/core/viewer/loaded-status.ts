/**
 * Loads the statuses of a page. Their revision columns are cached in memory, their current state is read each time.
 * Pages that are requested at the same moment share a query.
 */
import type { Database, Reader } from '@murmuration/db'
import { createBatcher, createMemoryCache, type MemoryCache } from '@murmuration/flow'
import {
  type CurrentStateRow,
  currentStateOf,
  type LoadedStatus,
  loadStatuses,
  type RevisionColumns,
  type ViewerState,
} from './loaded-status.store.js'

/** Revision columns by status id, of the latest revision that was read. */
export type RevisionCache = MemoryCache<RevisionColumns>

export const createRevisionCache = (): RevisionCache => createMemoryCache({ max: 20_000 })

const revisionColumnsOf = (status: LoadedStatus): RevisionColumns => ({
  id: status.id,
  rev: status.rev,
  author_id: status.author_id,
  local: status.local,
  uri: status.uri,
  visibility: status.visibility,
  reblog_of_id: status.reblog_of_id,
  reblog_of_author_id: status.reblog_of_author_id,
  in_reply_to_id: status.in_reply_to_id,
  in_reply_to_author_id: status.in_reply_to_author_id,
  in_reply_to_account_id: status.in_reply_to_account_id,
  is_reply: status.is_reply,
  listed: status.listed,
  conversation_id: status.conversation_id,
  media_ids: status.media_ids,
  tags: status.tags,
  poll_id: status.poll_id,
  sensitive: status.sensitive,
  language: status.language,
  application: status.application,
  mentions: status.mentions,
})

interface CachedPage {
  viewer: string | null
  known: readonly RevisionColumns[]
}

/**
 * Reads the current state of statuses whose revision columns are cached. Returns them by id if the cached revision is
 * still current. All other statuses are missing from the result, and the caller reads their rows.
 */
export type CurrentStateLoader = (page: CachedPage) => Promise<Map<string, LoadedStatus>>

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
const viewerStateOf = (viewer: string | null, { marks, filters }: CurrentStateRow): Partial<ViewerState> | null => {
  if (viewer === null || (marks === null && filters === null)) return null
  const own = marks?.filter(([who]) => who === viewer).map(([, kind]) => [kind, true])
  const filter_rev = filters?.[viewer]
  return { ...(own && Object.fromEntries(own)), ...(filter_rev === undefined ? {} : { filter_rev }) }
}

/** Splits the rows into the statuses of each page. Pages whose viewers have no state share one object per status. */
const statusesByPage = (
  pages: readonly CachedPage[],
  rows: readonly CurrentStateRow[],
): Map<string, LoadedStatus>[] => {
  const currentRows = new Map(rows.map((row) => [row.id, row]))
  const plain = new Map<RevisionColumns, LoadedStatus>()
  return pages.map(({ viewer, known }) => {
    const statuses = new Map<string, LoadedStatus>()
    for (const fixed of known) {
      const row = currentRows.get(fixed.id)
      if (row?.rev !== fixed.rev) continue
      let status = plain.get(fixed)
      if (!status) {
        const { marks: _marks, filters: _filters, ...changing } = row
        status = { ...fixed, ...changing, ...NO_VIEWER_STATE }
        plain.set(fixed, status)
      }
      const marks = viewerStateOf(viewer, row)
      statuses.set(fixed.id, marks ? { ...status, ...marks } : status)
    }
    return statuses
  })
}

/** Maximum number of pages per query, and of concurrent queries. */
const BATCH = { max: 32, concurrency: 4 }
/**
 * Maximum number of statuses of a page that shares a query. A larger page has its own query, so that no small page
 * waits for it.
 */
const MAX_BATCHED_STATUSES = 100

export const createCurrentStateLoader = ({ db }: { db: Reader }): CurrentStateLoader => {
  const read = async (pages: readonly CachedPage[]) => statusesByPage(pages, await currentStateOf(db, pages))
  const readBatched = createBatcher(read, BATCH)
  return async (page) => {
    if (page.known.length <= MAX_BATCHED_STATUSES) return readBatched(page)
    const [statuses] = await read([page])
    return statuses ?? new Map()
  }
}

/** Revision columns of a status and of the original that it boosts; null if one of them is not cached. */
const cachedWithOriginal = (known: RevisionCache, id: string): RevisionColumns[] | null => {
  const fixed = known.get(id)
  if (!fixed) return null
  if (fixed.reblog_of_id === null) return [fixed]
  const original = known.get(fixed.reblog_of_id)
  return original ? [fixed, original] : null
}

interface Needs {
  readonly db: Database
  readonly revisionCache: RevisionCache
  readonly loadCurrentState: CurrentStateLoader
}

const loadAndCache = async (
  ctx: Needs,
  viewer: string | null,
  ids: readonly string[],
): Promise<Map<string, LoadedStatus>> => {
  const statuses = await loadStatuses(ctx.db, viewer, ids)
  for (const status of statuses.values()) ctx.revisionCache.set(status.id, revisionColumnsOf(status))
  return statuses
}

/**
 * These statuses by id, and the originals that they boost. Deleted and unknown statuses are missing. One query is
 * needed if the revision columns of all statuses are cached, or of none. If some are not cached, two queries are needed,
 * and three if some statuses were also edited or deleted.
 */
export const loadPageOfStatuses = async (
  ctx: Needs,
  viewer: string | null,
  ids: readonly string[],
): Promise<Map<string, LoadedStatus>> => {
  const known = new Map<string, RevisionColumns>()
  const unknown: string[] = []
  for (const id of ids) {
    const found = cachedWithOriginal(ctx.revisionCache, id)
    if (found) for (const fixed of found) known.set(fixed.id, fixed)
    else unknown.push(id)
  }
  const [cached, statuses] = await Promise.all([
    known.size ? ctx.loadCurrentState({ viewer, known: [...known.values()] }) : new Map<string, LoadedStatus>(),
    loadAndCache(ctx, viewer, unknown),
  ])
  for (const [id, status] of cached) statuses.set(id, status)
  const others = [...known.keys()].filter((id) => !cached.has(id))
  for (const [id, status] of await loadAndCache(ctx, viewer, others)) statuses.set(id, status)
  return statuses
}
