/** Keeps partitions for the months to come, so that nobody ever waits for one. */
import { tick } from '../doors.js'
import { ensureMonths } from '../store/month.js'

const AHEAD = 3

export const keepMonths = tick('statuses.keep-months', 3_600_000, async (ctx) => {
  const made = await ensureMonths(ctx.db, ctx.clock.date(), AHEAD)
  if (made) ctx.log.info({ made }, 'partitions for the months to come')
})
