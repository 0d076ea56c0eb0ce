/** Reading a feed: from Redis when it is complete there, else from rows, and then it is made complete. */
import { type Cursor, goesUp } from '@murmuration/db'
import { ownRequest, within } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { type FeedOf, feedFromRows } from './from-rows.js'
import { cutPage } from './order.rules.js'
import { beginBuilding, type Entry, finishBuilding, homeKey, listKey, readFeed } from './store.js'

/**
 * A feed that its owner does not read ends before fan-out stops filling it, so that nobody who returns reads a feed with a
 * hole (behaviours 5). Sign-ins are noted once a day, hence the day less.
 */
const lifetimeOf = (ctx: Context): number => (ctx.config.activeDays - 1) * 86_400 - 3_600

const keyOf = ({ viewerId, list }: FeedOf): string => (list === null ? homeKey(viewerId) : listKey(viewerId, list))

/** How long a reader waits for a feed to be made; later ones get their page from rows meanwhile. */
const PATIENCE_MS = 1_000
/** Time limit of building a feed, independent of the request. */
const BUILD_MS = 50_000

/** Makes a feed complete from rows; null when Redis is away, `elsewhere` when somebody else makes it. */
export const rebuildFeed = async (ctx: Context, feed: FeedOf): Promise<Entry[] | 'elsewhere' | null> => {
  const key = keyOf(feed)
  try {
    // Begun before the rows are read: what is written meanwhile goes into the feed by fan-out.
    if (!(await beginBuilding(ctx.redis, key))) return 'elsewhere'
    const entries = await feedFromRows(ctx, feed, ctx.feedRules.length)
    // The entries are right even when Redis cannot take them.
    await finishBuilding(ctx.redis, key, entries, ctx.feedRules, lifetimeOf(ctx))
    return entries
  } catch (error) {
    ctx.log.info({ error }, 'a feed is read from rows')
    return null
  }
}

/** While Redis is away, or the feed is being made: no more than the page asks for. */
const pageFromRows = async (ctx: Context, feed: FeedOf, page: Cursor): Promise<Entry[]> => {
  const bounds = { maxId: page.max_id ?? null, sinceId: page.min_id ?? page.since_id ?? null }
  // The page right above an id cannot be asked for from the top without everything in between.
  const want = goesUp(page) ? ctx.feedRules.length : page.limit + ctx.feedRules.window
  return cutPage(await feedFromRows(ctx, feed, want, bounds), page)
}

export interface FeedPage {
  /** Newest first. */
  ids: string[]
  /** The feed is still being made; the page is right all the same. */
  building: boolean
}

const pageOf = (entries: readonly Entry[], building: boolean): FeedPage => ({
  ids: entries.map((entry) => entry.id),
  building,
})

/**
 * The top of a feed that is complete and empty: somebody who has just begun to follow may be ahead of the statuses that
 * the follow brings, so the rows say what will be in it.
 */
const emptyTop = async (ctx: Context, feed: FeedOf, page: Cursor): Promise<FeedPage> => {
  const entries = await pageFromRows(ctx, feed, page)
  return pageOf(entries, entries.length > 0)
}

const isTop = (page: Cursor): boolean =>
  page.limit > 0 && page.max_id === undefined && page.min_id === undefined && page.since_id === undefined

/** One page of a feed. */
export const feedPage = async (ctx: Context, feed: FeedOf, page: Cursor): Promise<FeedPage> => {
  const known = await readFeed(ctx.redis, keyOf(feed), page, lifetimeOf(ctx))
  if (known !== null) return known.length === 0 && isTop(page) ? emptyTop(ctx, feed, page) : pageOf(known, false)
  // The request may end; the feed is built to its end.
  const making = within(ownRequest(BUILD_MS), () => rebuildFeed(ctx, feed))
  const made = await Promise.race([making, ctx.clock.sleep(PATIENCE_MS).then(() => 'elsewhere' as const)])
  if (Array.isArray(made)) return pageOf(cutPage(made, page), false)
  return pageOf(await pageFromRows(ctx, feed, page), made === 'elsewhere')
}
