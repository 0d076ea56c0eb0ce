/** Forgets how tags were used, and links shared, more than two weeks ago. */
import { KEPT_DAYS, lastDays } from '../domain/tag.js'
import { tick } from '../doors.js'
import { forgetShares } from '../store/preview-usage.js'
import { forgetDays } from '../store/tag-usage.js'

const BATCH = 10_000

export const forgetTagDays = tick('statuses.forget-tag-days', 600_000, async (ctx) => {
  const oldest = lastDays(ctx.clock.now(), KEPT_DAYS).at(-1)
  if (oldest === undefined) return
  await forgetDays(ctx.db, oldest, BATCH)
  await forgetShares(ctx.db, oldest, BATCH)
})
