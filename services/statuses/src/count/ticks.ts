/** Counts what was written here on the days that are over, each again once a day: how much that is in all is asked all the time. */
import { inSteps } from '@murmuration/kernel'
import { tick } from '../handlers.js'
import { countDays } from './store.js'

const STEPS = { size: 10, steps: 50 }

export const countOverDays = tick('statuses.count-days', 600_000, async (ctx) => {
  await inSteps(STEPS, (most) => countDays(ctx.db, ctx.clock.date(), most))
})
