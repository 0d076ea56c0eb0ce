/** The tick that announces the list of unusable hashtags again, for services without the list or with an old one. */
import { tick } from '../handlers.js'
import { lockTrends } from '../trend/index.js'
import { announceUnusable } from './unusable.js'

/**
 * Also an empty list is announced. Because an older process announces no decision during an update, services may still
 * refuse a hashtag that is usable again.
 */
export const listUnusable = tick('statuses.list-unusable-tags', 3_600_000, (ctx) =>
  ctx.db.tx(async (tx) => {
    await lockTrends(tx)
    await announceUnusable(ctx, tx)
  }),
)
