/** Erases barriers, stands and group hours that nothing can meet any more, in small steps. */
import { inSteps } from '@murmuration/kernel'
import { hourOf } from '../domain/type.js'
import { tick } from '../doors.js'
import { eraseBarriers } from '../store/barrier.js'
import { eraseGroupHours } from '../store/group-hour.js'
import { eraseStands } from '../store/stand.js'

const STEPS = { size: 5_000, steps: 50 }

export const forgetOld = tick('notifications.forget-old', 600_000, async (ctx) => {
  const hour = hourOf(ctx.clock.now())
  await inSteps(STEPS, (most) => eraseBarriers(ctx.db, most))
  await inSteps(STEPS, (most) => eraseStands(ctx.db, most))
  await inSteps(STEPS, (most) => eraseGroupHours(ctx.db, hour, most))
})
