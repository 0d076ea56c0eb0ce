/** Forgets pages that nothing shows any more, a month after they were read. */
import { tick } from '../doors.js'
import { forgetPreviews } from '../store/preview.js'

const MONTH_MS = 30 * 86_400_000
const BATCH = 2_000

export const forgetOldPreviews = tick('statuses.forget-previews', 3_600_000, async (ctx) => {
  await ctx.db.tx((tx) => forgetPreviews(tx, new Date(ctx.clock.now() - MONTH_MS), BATCH))
})
