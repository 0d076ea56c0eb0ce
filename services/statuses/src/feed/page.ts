/** Reads a feed from Redis if the feed is complete there. Otherwise reads rows, which also rebuilds the feed. */
import { type Cursor, isAscending } from '@murmuration/db'
import { ownRequest, within } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { type FeedOf, feedFromRows } from './from-rows.js'
import { cutPage } from './order.rules.js'
import { beginBuilding, type Entry, finishBuilding, homeKey, listKey, readFeed } from './store.js'

/**
 * Lifetime of a feed in seconds. A feed expires before fan-out stops filling it, so that a returning account never
 * reads a feed with a gap. It is a day shorter than the time after which
 * fan-out stops, because sign-ins are recorded once a day.
 */
export const lifetimeOf = (ctx: Context): number => (ctx.config.activeDays - 1) * 86_400 - 3_600

const keyOf = ({ viewerId, list }: FeedOf): string => (list === null ? homeKey(viewerId) : listKey(viewerId, list))

/** Milliseconds that a reader waits for a rebuild before the page is read from rows. */
const PATIENCE_MS = 1_000
/** Time limit of a rebuild in milliseconds, independent of the request. */
const BUILD_MS = 50_000

/**
 * Rebuilds a feed from rows for a lifetime in seconds. Returns null if Redis is unavailable, and `elsewhere` if another
 * reader rebuilds the feed.
 */
export const rebuildFeed = async (
  ctx: Context,
  feed: FeedOf,
  lifetime = lifetimeOf(ctx),
): Promise<Entry[] | 'elsewhere' | null> => {
  const key = keyOf(feed)
  try {
    // The rebuild begins before the rows are read, so that fan-out adds statuses that are created during the rebuild.
    if (!(await beginBuilding(ctx.redis, key))) return 'elsewhere'
    const entries = await feedFromRows(ctx, feed, ctx.feedRules.length)
    // The entries that were read are returned even if Redis does not accept them.
    await finishBuilding(ctx.redis, key, entries, ctx.feedRules, lifetime)
    return entries
  } catch (error) {
    ctx.log.info({ error }, 'a feed could not be rebuilt in Redis and is read from rows')
    return null
  }
}

/** A page read from rows, while Redis is unavailable or the feed is being rebuilt. Reads no more than needed. */
const pageFromRows = async (ctx: Context, feed: FeedOf, page: Cursor): Promise<Entry[]> => {
  const bounds = { maxId: page.max_id ?? null, sinceId: page.min_id ?? page.since_id ?? null }
  // A page directly above an id (`min_id`) requires reading all entries above that id.
  const want = isAscending(page) ? ctx.feedRules.length : page.limit + ctx.feedRules.window
  return cutPage(await feedFromRows(ctx, feed, want, bounds), page)
}

export interface FeedPage {
  /** Ids of the statuses on the page, newest first. */
  ids: string[]
  /** The feed is being rebuilt. The page itself is correct. */
  building: boolean
}

const pageOf = (entries: readonly Entry[], building: boolean): FeedPage => ({
  ids: entries.map((entry) => entry.id),
  building,
})

/**
 * The first page of a complete but empty feed, read from rows. After a first follow the followed account's statuses may
 * not be in the feed yet.
 */
const emptyTop = async (ctx: Context, feed: FeedOf, page: Cursor): Promise<FeedPage> => {
  const entries = await pageFromRows(ctx, feed, page)
  return pageOf(entries, entries.length > 0)
}

const isTop = (page: Cursor): boolean =>
  page.limit > 0 && page.max_id === undefined && page.min_id === undefined && page.since_id === undefined

/** One page of a home or list feed: from Redis if the feed is complete there, otherwise from rows. */
export const feedPage = async (ctx: Context, feed: FeedOf, page: Cursor): Promise<FeedPage> => {
  const known = await readFeed(ctx.redis, keyOf(feed), page, lifetimeOf(ctx))
  if (known !== null) return known.length === 0 && isTop(page) ? emptyTop(ctx, feed, page) : pageOf(known, false)
  // The rebuild continues after the request has ended.
  const making = within(ownRequest(BUILD_MS), () => rebuildFeed(ctx, feed))
  const made = await Promise.race([making, ctx.clock.sleep(PATIENCE_MS).then(() => 'elsewhere' as const)])
  if (Array.isArray(made)) return pageOf(cutPage(made, page), false)
  return pageOf(await pageFromRows(ctx, feed, page), made === 'elsewhere')
}
