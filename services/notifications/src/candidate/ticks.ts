/** Erases barriers, stands and group hours that nothing can meet any more, in small steps. */
import { inSteps } from '@murmuration/kernel'
import { eraseBarriers } from '../core/barrier.store.js'
import { eraseStands } from '../core/stand.store.js'
import { hourOf } from '../core/type.rules.js'
import { tick } from '../handlers.js'
import { eraseGroupHours } from './group-hour.store.js'

const STEPS = { size: 5_000, steps: 50 }

export const forgetOld = tick('notifications.forget-old', 600_000, async (ctx) => {
  const hour = hourOf(ctx.clock.now())
  await inSteps(STEPS, (most) => eraseBarriers(ctx.db, most))
  await inSteps(STEPS, (most) => eraseStands(ctx.db, most))
  await inSteps(STEPS, (most) => eraseGroupHours(ctx.db, hour, most))
})
