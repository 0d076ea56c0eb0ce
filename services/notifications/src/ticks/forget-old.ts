/** Erases barriers and group hours that nothing can meet any more, in small steps. */
import { hourOf } from '../domain/type.js'
import { tick } from '../doors.js'
import { eraseBarriers } from '../store/barrier.js'
import { eraseGroupHours } from '../store/group-hour.js'

export const forgetOld = tick('notifications.forget-old', 600_000, async (ctx) => {
  await eraseBarriers(ctx.db)
  await eraseGroupHours(ctx.db, hourOf(ctx.clock.now()))
})
