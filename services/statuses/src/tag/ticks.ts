/** The tick that deletes daily uses of tags and shares of links after two weeks. */
import { inSteps } from '@murmuration/kernel'
import { KEPT_DAYS, lastDays } from '../core/tag/rules.js'
import { deleteUsedDays } from '../core/tag/used-day.store.js'
import { tick } from '../handlers.js'

const STEPS = { size: 10_000, steps: 50 }

export const deleteTagDays = tick('statuses.forget-tag-days', 600_000, async (ctx) => {
  const oldest = lastDays(ctx.clock.now(), KEPT_DAYS).at(-1)
  if (oldest === undefined) return
  await inSteps(STEPS, (limit) => deleteUsedDays(ctx.db, 'tag', oldest, limit))
  await inSteps(STEPS, (limit) => deleteUsedDays(ctx.db, 'preview', oldest, limit))
})
