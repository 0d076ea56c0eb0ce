/** Reads the counters by day of statuses. */
import { readStatusDayCounts } from '@murmuration/contracts/statuses'
import { readDayCounts } from '@murmuration/db'
import { handle } from '../doors.js'

export const read = handle(readStatusDayCounts, async (ctx, _viewer, { queries }) => ({
  results: await Promise.all(queries.map((query) => readDayCounts(ctx.db, query))),
}))
