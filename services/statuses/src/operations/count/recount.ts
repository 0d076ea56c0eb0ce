/** Compares a page of counters with their rows, and puts them right when the operator says so. */
import { recountStatuses, statusCountsRepaired } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { differences, holdCounters, setCounter } from '../../store/count.js'

const PAGE = 1_000
/** Differences in one entry of the audit log. */
const MOST_RECORDED = 100
const COUNTERS = ['replies', 'reblogs', 'favourites', 'quotes'] as const

export const recount = handle(recountStatuses, (ctx, viewer, { after, repair }) =>
  ctx.db.tx(async (tx) => {
    const ids = await holdCounters(tx, after, PAGE)
    const found = await differences(tx, ids)
    if (repair && found.length > 0) {
      for (const counter of COUNTERS)
        await setCounter(
          tx,
          counter,
          found.filter((one) => one.counter === counter),
        )
      const few = found.slice(0, MOST_RECORDED)
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
