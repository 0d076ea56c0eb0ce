/** The tick that indexes statuses older than the current index format, newest first, until none is left. */

import { isIndexBehind, markOlder, nextOlder } from '../core/status/search.store.js'
import { tick } from '../handlers.js'
import { indexStatuses } from './index-statuses.js'

const BATCH = 200

export const indexOlder = tick('statuses.index-older', 10_000, async (ctx) => {
  if (!(await isIndexBehind(ctx.db, ctx.clock.date()))) return
  const ids = await ctx.db.tx((tx) => nextOlder(tx, ctx.clock.date(), BATCH))
  if (ids === null) return
  // Statuses that are edited meanwhile are indexed by the reaction to the edit.
  await indexStatuses(ctx, ids)
  await ctx.db.tx((tx) => markOlder(tx, ids.length < BATCH ? null : (ids.at(-1) ?? null)))
})
