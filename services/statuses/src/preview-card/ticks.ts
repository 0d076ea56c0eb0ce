/** Ticks that fetch due links, and delete old preview cards. */
import { previewLink } from '@murmuration/contracts/statuses'
import { inSteps } from '@murmuration/kernel'
import { queueImageRelease } from '../attachment/index.js'
import { deleteEndedLeases } from '../core/preview-card/lease.store.js'
import { tick } from '../handlers.js'
import { deleteLinks, isPreviewDue, sweepPreviews, takeDuePreviews } from './store.js'

/** Maximum number of due links that one run queues. */
const BATCH = 500

export const previewDue = tick('statuses.preview-due', 5_000, async (ctx) => {
  if (!ctx.policy.loaded()) return
  if (!(await isPreviewDue(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const due = await takeDuePreviews(tx, ctx.clock.date(), BATCH)
    await ctx.queue(tx, previewLink, ...due.map((status) => ({ status })))
  })
})

/** Milliseconds since a page was last read after which its preview card is deleted if no status shows it. */
const MONTH_MS = 30 * 86_400_000
/** Maximum number of rows that one step checks, and of steps in one run. Pages that are still shown count too. */
const STEPS = { size: 2_000, steps: 20 }

export const deleteOldPreviews = tick('statuses.forget-previews', 3_600_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - MONTH_MS)
  await inSteps(STEPS, (limit) => deleteLinks(ctx.db, before, limit))
  await inSteps(STEPS, (limit) => deleteEndedLeases(ctx.db, before, limit))
  await inSteps(STEPS, (limit) =>
    ctx.db.tx(async (tx) => {
      const { seen, withImage } = await sweepPreviews(tx, before, limit)
      await queueImageRelease(ctx, tx, withImage)
      return seen
    }),
  )
})
