/** Sends links of statuses from elsewhere on their way once their random while is over. */
import { previewLink } from '@murmuration/contracts/statuses'
import { tick } from '../doors.js'
import { isPreviewDue, takeDuePreviews } from '../store/preview.js'

const BATCH = 500

export const previewDue = tick('statuses.preview-due', 2_000, async (ctx) => {
  if (!(await isPreviewDue(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const due = await takeDuePreviews(tx, ctx.clock.date(), BATCH)
    await ctx.queue(tx, previewLink, ...due.map((status) => ({ status })))
  })
})
