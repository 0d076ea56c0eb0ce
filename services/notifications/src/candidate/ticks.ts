/** Tick that deletes old barriers, states of reports and appeals, and hours of groups, in steps. */
import { inSteps } from '@murmuration/kernel'
import { eraseBarriers } from '../core/barrier.store.js'
import { purgeSourceStates } from '../core/source-state.store.js'
import { hourOf } from '../core/type.rules.js'
import { tick } from '../handlers.js'
import { eraseGroupHours } from './group-hour.store.js'

/** Maximum number of rows that one step deletes from one table, and of steps per table and run. */
const STEPS = { size: 5_000, steps: 50 }

/** The tick runs every ten minutes. */
export const deleteOld = tick('notifications.forget-old', 600_000, async (ctx) => {
  const hour = hourOf(ctx.clock.now())
  await inSteps(STEPS, (limit) => eraseBarriers(ctx.db, limit))
  await inSteps(STEPS, (limit) => purgeSourceStates(ctx.db, limit))
  await inSteps(STEPS, (limit) => eraseGroupHours(ctx.db, hour, limit))
})
