/** Deletes activities that were worked on long ago, a few thousand at a time. */
import { inSteps } from '@murmuration/kernel'
import { tick } from '../doors.js'
import { forgetActivities } from '../store/inbox.js'
import { forgetWords } from '../store/last-word.js'
import { forgetRefusals } from '../store/refusal.js'

export const forget = tick('federation.forget-activities', 60_000, async (ctx) => {
  await inSteps({ size: 5_000, steps: 20 }, (most) => forgetActivities(ctx.db, most))
  await inSteps({ size: 5_000, steps: 20 }, (most) => forgetWords(ctx.db, most))
  await forgetRefusals(ctx.db)
})
