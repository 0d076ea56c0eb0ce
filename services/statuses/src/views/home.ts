/** Reading a feed: from Redis when it is complete there, else from rows, and then it is made complete. */
import { type Cursor, goesUp } from '@murmuration/db'
import type { Context } from '../context.js'
import { cutPage } from '../domain/feed-order.js'
import { beginBuilding, type Entry, finishBuilding, homeKey, listKey, readFeed } from '../store/feed.js'
import { type FeedOf, feedFromRows } from './feed.js'

/**
 * A feed that its owner does not read ends before fan-out stops filling it, so that nobody who returns reads a feed with a
 * hole (behaviours 5). Sign-ins are noted once a day, hence the day less.
 */
const lifetimeOf = (ctx: Context): number => (ctx.config.activeDays - 1) * 86_400 - 3_600

const keyOf = ({ viewerId, list }: FeedOf): string => (list === null ? homeKey(viewerId) : listKey(viewerId, list))

/** Makes a feed complete from rows; the entries are right even when Redis could not take them. */
export const rebuildFeed = async (ctx: Context, feed: FeedOf): Promise<Entry[] | null> => {
  const key = keyOf(feed)
  try {
    // Begun before the rows are read: what is written meanwhile goes into the feed by fan-out.
    if (!(await beginBuilding(ctx.redis, key))) return null
    const entries = await feedFromRows(ctx, feed, ctx.feedRules.length)
    await finishBuilding(ctx.redis, key, entries, ctx.feedRules, lifetimeOf(ctx))
    return entries
  } catch (error) {
    ctx.log.info({ error }, 'a feed is read from rows')
    return null
  }
}

/** While Redis is away, or another request makes the feed: no more than the page asks for. */
const pageFromRows = async (ctx: Context, feed: FeedOf, page: Cursor): Promise<Entry[]> => {
  const bounds = { maxId: page.max_id ?? null, sinceId: page.min_id ?? page.since_id ?? null }
  // The page right above an id cannot be asked for from the top without everything in between.
  const want = goesUp(page) ? ctx.feedRules.length : page.limit + ctx.feedRules.window
  return cutPage(await feedFromRows(ctx, feed, want, bounds), page)
}

/** Ids of one page of a feed, newest first. */
export const feedPage = async (ctx: Context, feed: FeedOf, page: Cursor): Promise<string[]> => {
  const known = await readFeed(ctx.redis, keyOf(feed), page, lifetimeOf(ctx))
  if (known !== null) return known.map((entry) => entry.id)
  const rebuilt = await rebuildFeed(ctx, feed)
  const entries = rebuilt === null ? await pageFromRows(ctx, feed, page) : cutPage(rebuilt, page)
  return entries.map((entry) => entry.id)
}
