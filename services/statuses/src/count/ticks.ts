/**
 * The tick that counts the local statuses of past days, each day again once a day. Because totals are requested often,
 * they use the stored counts.
 */
import { inSteps } from '@murmuration/kernel'
import { tick } from '../handlers.js'
import { countDays } from './store.js'

const STEPS = { size: 10, steps: 50 }

export const countOverDays = tick('statuses.count-days', 600_000, async (ctx) => {
  await inSteps(STEPS, (limit) => countDays(ctx.db, ctx.clock.date(), limit))
})
