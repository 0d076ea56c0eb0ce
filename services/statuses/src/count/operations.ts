/** Handlers that count local statuses, and that check and repair counters. */
import {
  readStatusDayCounts,
  recountStatuses,
  statusCounts,
  statusCountsRepaired,
  statusesByWeek,
} from '@murmuration/contracts/statuses'
import { readDayCounts } from '@murmuration/db'
import type { Context } from '../context.js'
import { counters, differences, lockNextCounters, setCounter } from '../core/status/count.store.js'
import { handle } from '../handlers.js'
import { localCounts, weeksOfStatuses } from './store.js'

/** Number of counters that one request compares with their rows, and repairs if `repair` is set. */
const PAGE = 1_000
/** Maximum number of differences in one entry of the audit log. */
const MAX_RECORDED = 100

export const recount = handle(recountStatuses, (ctx, viewer, { after, repair }) =>
  ctx.db.tx(async (tx) => {
    const ids = await lockNextCounters(tx, after, PAGE)
    const found = await differences(tx, ids)
    if (repair && found.length > 0) {
      for (const counter of counters)
        await setCounter(
          tx,
          counter,
          found.filter((one) => one.counter === counter),
        )
      const few = found.slice(0, MAX_RECORDED)
      await ctx.announce(tx, statusCountsRepaired, {
        by: viewer?.id ?? null,
        action: 'repair_counters',
        targetId: null,
        target: 'statuses',
        before: few.map(({ id, counter, kept }) => ({ id, counter, kept })),
        after: few.map(({ id, counter, counted }) => ({ id, counter, counted })),
      })
    }
    return {
      differences: found.map((one) => ({ ...one, repaired: repair })),
      last: ids.length === PAGE ? (ids.at(-1) ?? null) : null,
    }
  }),
)

/** Milliseconds for which the counts of local statuses are cached, for NodeInfo and the instance document. */
const FRESH_MS = 60_000
const known = new WeakMap<Context, { at: number; counts: ReturnType<typeof localCounts> }>()

export const counts = handle(statusCounts, async (ctx) => {
  const last = known.get(ctx)
  const translates = ctx.translator !== null
  if (last && ctx.clock.now() - last.at < FRESH_MS) return { ...(await last.counts), translates }
  const counting = localCounts(ctx.db)
  known.set(ctx, { at: ctx.clock.now(), counts: counting })
  counting.catch(() => known.delete(ctx))
  return { ...(await counting), translates }
})

/** Number of statuses by local accounts, by week. */
export const byWeek = handle(statusesByWeek, async (ctx, _viewer, { mondays }) => ({
  counts: await weeksOfStatuses(ctx.db, mondays),
}))

/** Reads the counters of statuses per day. */
export const read = handle(readStatusDayCounts, async (ctx, _viewer, { queries }) => ({
  results: await Promise.all(queries.map((query) => readDayCounts(ctx.db, query))),
}))
