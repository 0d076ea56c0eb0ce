/** Forgets who was here in weeks that no figure shows any more. */
import { tick } from '../doors.js'
import { deleteWeeksBefore } from '../store/figure.js'

const DAY = 86_400_000

export const forgetWeeks = tick('accounts.forget-weeks', DAY, async (ctx) => {
  await deleteWeeksBefore(ctx.db, new Date(ctx.clock.now() - 183 * DAY))
})
