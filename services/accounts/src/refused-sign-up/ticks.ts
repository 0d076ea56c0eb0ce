/** Deletes counters of refused sign-ups after a week. */
import { tick } from '../doors.js'
import { forgetRefused } from './store.js'

const MOST = 5_000

export const forgetRefusedSignUps = tick('accounts.forget-refused-sign-ups', 3_600_000, async (ctx) => {
  await forgetRefused(ctx.db, new Date(ctx.clock.now() - 7 * 86_400_000), MOST)
})
