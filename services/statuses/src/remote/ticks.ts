/** Has remote statuses looked for once more that were not found where they live. */
import { refreshStatus } from '@murmuration/contracts/statuses'
import { tick } from '../handlers.js'
import { takeDueAbsences } from './absence.store.js'

/** Statuses of one run, and when one is asked for again whose server did not answer. */
const MOST = 100
const AGAIN_MS = 3_600_000

export const askAbsent = tick('statuses.ask-absent', 60_000, async (ctx) => {
  const now = ctx.clock.date()
  const due = await takeDueAbsences(ctx.db, { now, againMs: AGAIN_MS, most: MOST })
  await ctx.queues.push(
    refreshStatus,
    ...due.map((status) => ({ id: `${status} absent ${now.getTime()}`, data: { status } })),
  )
})
