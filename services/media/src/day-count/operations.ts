/** Handler that reads the counters per day of media. */
import { readMediaDayCounts } from '@murmuration/contracts/media'
import { readDayCounts } from '@murmuration/db'
import { handle } from '../handlers.js'

export const read = handle(readMediaDayCounts, async (ctx, _viewer, { queries }) => ({
  results: await Promise.all(queries.map((query) => readDayCounts(ctx.db, query))),
}))
