/** Feeds after a change between people: what no longer belongs goes, what now belongs comes. */
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { dropFeeds, homeKey, mergeInto, takeFrom, wholeFeed } from '../store/feed.js'
import { naming, writtenBy } from '../store/naming.js'
import { feedFromRows } from '../views/feed.js'

/** Takes somebody out of a person’s home feed: what they wrote and boosted, or everything that names them. */
export const takeOut = async (ctx: Context, owner: string, who: string, what: 'written' | 'naming'): Promise<void> => {
  const key = homeKey(owner)
  const { entries, complete } = await wholeFeed(ctx.redis, key)
  // A feed that is being made was begun before the change, so it must be made again.
  if (!complete) return dropFeeds(ctx.redis, [key])
  const ids = entries.map((entry) => entry.id)
  const gone = new Set(await (what === 'written' ? writtenBy : naming)(ctx.db, ids, who))
  await takeFrom(
    ctx.redis,
    [key],
    entries.filter((entry) => gone.has(entry.id)),
  )
}

/** Puts the latest statuses of a followed account into a person’s home feed, as far back as it reaches. */
export const mergeIn = async (ctx: Context, owner: string, followed: string): Promise<void> => {
  const entries = await feedFromRows(ctx, { viewerId: owner, list: null }, limits.feeds.mergedOnFollow, undefined, [
    followed,
  ])
  await mergeInto(ctx.redis, homeKey(owner), entries, ctx.feedRules)
}
