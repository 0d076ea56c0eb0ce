/** Forgets pages that nothing shows any more, a month after they were read. */
import { inSteps } from '@murmuration/kernel'
import { queueRelease } from '../attachment/index.js'
import { tick } from '../doors.js'
import { forgetLinks, sweepPreviews } from '../store/preview.js'

const MONTH_MS = 30 * 86_400_000
/** Of one run; pages that are still shown cost a look as well. */
const STEPS = { size: 2_000, steps: 20 }

export const forgetOldPreviews = tick('statuses.forget-previews', 3_600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - MONTH_MS)
  await inSteps(STEPS, (most) => forgetLinks(ctx.db, before, most))
  await inSteps(STEPS, (most) =>
    ctx.db.tx(async (tx) => {
      const { seen, withImage } = await sweepPreviews(tx, before, most)
      await queueRelease(ctx, tx, withImage)
      return seen
    }),
  )
})
