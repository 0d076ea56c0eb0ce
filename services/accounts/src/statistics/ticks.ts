/** Tick that deletes activity of weeks that no statistics show any longer. */
import { tick } from '../handlers.js'
import { deleteWeeksBefore } from './store.js'

const DAY = 86_400_000

/** The tick runs every hour. A process that is restarted daily might never run a daily tick. */
export const deleteWeeks = tick('accounts.forget-weeks', 3_600_000, async (ctx) => {
  await deleteWeeksBefore(ctx.db, new Date(ctx.clock.now() - 183 * DAY))
})
