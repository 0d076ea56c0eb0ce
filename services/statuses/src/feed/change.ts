/** Changes of one home feed: accounts taken out, followed accounts merged in, and own statuses put in. */
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { feedFromRows } from './from-rows.js'
import { naming, writtenBy } from './naming.store.js'
import { dropFeeds, type Entry, homeKey, mergeInto, putInto, takeFrom, wholeFeed } from './store.js'

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

/** Without Redis nothing is lost: the feed is then made anew from rows. */
export const putIntoOwn = async (ctx: Context, author: string, entry: Entry): Promise<void> => {
  try {
    await putInto(ctx.redis, [homeKey(author)], entry, ctx.feedRules)
  } catch (error) {
    ctx.log.info({ error }, 'the own feed was not filled at once')
  }
}
