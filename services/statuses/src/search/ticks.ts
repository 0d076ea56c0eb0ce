/** The tick that indexes statuses older than the current index format, newest first, until none is left. */

import { inSteps } from '@murmuration/kernel'
import { isIndexIncomplete, markOlder, nextOlder } from '../core/status/search.store.js'
import { tick } from '../handlers.js'
import { indexStatuses } from './index-statuses.js'

const OLDER = { size: 200, steps: 20 }
/**
 * Time in milliseconds after which a run begins no further step. The tick runs every 10 seconds, so half of the time is
 * left to other work.
 */
const WORK_MS = 5_000

export const indexOlder = tick('statuses.index-older', 10_000, async (ctx) => {
  if (!(await isIndexIncomplete(ctx.db, ctx.clock.date()))) return
  const endsAt = performance.now() + WORK_MS
  await inSteps(OLDER, async (limit) => {
    if (performance.now() > endsAt) return 0
    const due = await ctx.db.tx((tx) => nextOlder(tx, ctx.clock.date(), limit))
    if (due === null) return 0
    // Statuses that are edited meanwhile are indexed by the reaction to the edit.
    await indexStatuses(ctx, due.ids)
    await ctx.db.tx((tx) => markOlder(tx, due.backlog, due.ids.length < limit ? null : (due.ids.at(-1) ?? null)))
    return due.ids.length
  })
})
