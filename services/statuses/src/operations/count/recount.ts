/** Compares a page of counters with their rows, and puts them right when the operator says so. */
import { recountStatuses } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { differences, holdCounters, setCounter } from '../../store/count.js'

const PAGE = 1_000
const COUNTERS = ['replies', 'reblogs', 'favourites', 'quotes'] as const

export const recount = handle(recountStatuses, (ctx, _viewer, { after, repair }) =>
  ctx.db.tx(async (tx) => {
    const ids = await holdCounters(tx, after, PAGE)
    const found = await differences(tx, ids)
    if (repair)
      for (const counter of COUNTERS)
        await setCounter(
          tx,
          counter,
          found.filter((one) => one.counter === counter),
        )
    return {
      differences: found.map((one) => ({ ...one, repaired: repair })),
      last: ids.length === PAGE ? (ids.at(-1) ?? null) : null,
    }
  }),
)
