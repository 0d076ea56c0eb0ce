/** Forgets who was here in weeks that no figure shows any more. */
import { tick } from '../handlers.js'
import { deleteWeeksBefore } from './store.js'

const DAY = 86_400_000

/** Every hour, because a process that is replaced every day would never come to run it once a day. */
export const forgetWeeks = tick('accounts.forget-weeks', 3_600_000, async (ctx) => {
  await deleteWeeksBefore(ctx.db, new Date(ctx.clock.now() - 183 * DAY))
})
