/** The tick that creates the partitions of the coming months, and empties the default partition. */

import { metric, registry } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { tick } from '../handlers.js'
import { countDefaultRows, emptyDefault, ensureMonths } from './store.js'

/** Number of statuses whose month has no partition. */
const defaultRows = new metric.Gauge({
  name: 'murmuration_statuses_default_partition_rows',
  help: 'Statuses in the default partition, counted up to 10,001: their month has no partition',
  registers: [registry],
})

/** Number of months whose partitions are created before the month begins. */
const AHEAD = 3
/** Maximum number of rows to move. The move takes one or two seconds, during which the table is locked. */
const MOVABLE = 10_000

const keep = async (ctx: Context): Promise<void> => {
  const now = ctx.clock.date()
  try {
    await emptyDefault(ctx.db, now, MOVABLE)
    const made = await ensureMonths(ctx.db, now, AHEAD)
    if (made) ctx.log.info({ made }, 'partitions for the coming months were created')
  } finally {
    defaultRows.set(await countDefaultRows(ctx.db, MOVABLE + 1))
  }
}

/** Runs every minute, because a server that was off for months starts without a partition for the current month. */
export const keepMonths = tick('statuses.keep-months', 60_000, keep, { elsewhere: () => defaultRows.remove() })
