/** Reads the counters by day of accounts. */
import { readAccountDayCounts } from '@murmuration/contracts/accounts'
import { readDayCounts } from '@murmuration/db'
import { handle } from '../doors.js'

export const read = handle(readAccountDayCounts, async (ctx, _viewer, { queries }) => ({
  results: await Promise.all(queries.map((query) => readDayCounts(ctx.db, query))),
}))
