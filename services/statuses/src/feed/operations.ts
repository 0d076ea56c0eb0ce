/** Handler that deletes feeds and rebuilds them. */

import { renewFeeds } from '@murmuration/contracts/statuses'
import { mapLimited } from '@murmuration/flow'
import { readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { lifetimeOf, rebuildFeed } from './page.js'
import { dropFeeds, homeKey, listKey } from './store.js'

const AT_ONCE = 4

/** Seconds for which fan-out still fills the feeds of an owner; 0 or less if it has stopped. */
const remainingOf = (ctx: Context, activeAt: string | null | undefined): number => {
  if (activeAt === undefined) return lifetimeOf(ctx)
  const since = activeAt === null ? Number.POSITIVE_INFINITY : ctx.clock.now() - readTime(activeAt)
  return Math.min(lifetimeOf(ctx), Math.floor(lifetimeOf(ctx) - since / 1_000))
}

export const renew = handle(renewFeeds, async (ctx, _viewer, { owners, build }) => {
  const feeds = owners.flatMap(({ id, lists, activeAt }) =>
    [null, ...lists].map((list) => ({
      feed: { viewerId: id, list },
      key: list === null ? homeKey(id) : listKey(id, list),
      remaining: remainingOf(ctx, activeAt),
    })),
  )
  await dropFeeds(
    ctx.redis,
    feeds.map((one) => one.key),
  )
  if (!build) return { feeds: feeds.length }
  // Rebuilds the feeds that fan-out still fills. If the owner of a deleted feed reads it first, that request rebuilds
  // it.
  const filled = feeds.filter((one) => one.remaining > 0)
  const made = await mapLimited(filled, AT_ONCE, ({ feed, remaining }) => rebuildFeed(ctx, feed, remaining))
  return { feeds: made.filter((one) => one !== null).length }
})
