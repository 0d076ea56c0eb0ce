/** Indexes statuses that are older than the index in its current form, the newest first, until there are none. */

import { markOlder, nextOlder } from '../core/status/search.store.js'
import { tick } from '../handlers.js'
import { indexStatuses } from './index-statuses.js'

const BATCH = 200

export const indexOlder = tick('statuses.index-older', 10_000, async (ctx) => {
  const ids = await ctx.db.tx((tx) => nextOlder(tx, ctx.clock.date(), BATCH))
  if (ids === null) return
  // Statuses that were edited meanwhile are indexed by the reaction to the edit.
  await indexStatuses(ctx, ids)
  await ctx.db.tx((tx) => markOlder(tx, ids.length < BATCH ? null : (ids.at(-1) ?? null)))
})
