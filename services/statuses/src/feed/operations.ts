/** Handler that deletes feeds and rebuilds them. */
import { feedsRenew } from '@murmuration/contracts/statuses'
import { mapLimited } from '@murmuration/flow'
import { handle } from '../handlers.js'
import { rebuildFeed } from './page.js'
import { dropFeeds, homeKey, listKey } from './store.js'

const AT_ONCE = 4

export const renew = handle(feedsRenew, async (ctx, _viewer, { owners, build }) => {
  const feeds = owners.flatMap(({ id, lists }) => [
    { viewerId: id, list: null, key: homeKey(id) },
    ...lists.map((list) => ({ viewerId: id, list, key: listKey(id, list) })),
  ])
  await dropFeeds(
    ctx.redis,
    feeds.map((one) => one.key),
  )
  if (!build) return { feeds: feeds.length }
  // A feed that its owner reads before its turn is built by that request.
  const made = await mapLimited(feeds, AT_ONCE, ({ viewerId, list }) => rebuildFeed(ctx, { viewerId, list }))
  return { feeds: made.filter((one) => one !== null).length }
})
