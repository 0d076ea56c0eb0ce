/** The tick that queues another fetch of remote statuses that their server did not find. */
import { refreshStatus } from '@murmuration/contracts/statuses'
import { tick } from '../handlers.js'
import { takeDueAbsences } from './absence.store.js'

/** `MAX_STATUSES`: maximum number of statuses per run. `AGAIN_MS`: milliseconds until the next try if a server does not respond. */
const MAX_STATUSES = 100
const AGAIN_MS = 3_600_000

export const refetchAbsent = tick('statuses.ask-absent', 60_000, async (ctx) => {
  const now = ctx.clock.date()
  const due = await takeDueAbsences(ctx.db, { now, againMs: AGAIN_MS, limit: MAX_STATUSES })
  await ctx.queues.push(
    refreshStatus,
    ...due.map((status) => ({ id: `${status} absent ${now.getTime()}`, data: { status } })),
  )
})
