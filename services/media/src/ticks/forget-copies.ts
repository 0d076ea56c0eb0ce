/** Deletes copies of other servers' attachments that are older than staff wants them kept; who looks has them fetched again. */
import { attachmentHint } from '@murmuration/contracts/media'
import { inSteps } from '@murmuration/kernel'
import { dropFiles } from '../changes/keep-files.js'
import { tick } from '../doors.js'
import { loosenFiles } from '../store/loose-file.js'
import { letGoOfCopies } from '../store/old-copy.js'

const DAY_MS = 86_400_000

export const forgetCopies = tick('media.forget-copies', 600_000, async (ctx) => {
  const days = ctx.policy.loaded() ? ctx.policy.settings().media_cache_retention_period : null
  if (days === null) return
  const now = ctx.clock.date()
  await inSteps({ size: 200, steps: 50 }, async (most) => {
    const gone = await ctx.db.tx(async (tx) => {
      const rows = await letGoOfCopies(tx, new Date(now.getTime() - days * DAY_MS), most)
      const keys = rows.flatMap((row) => row.keys.filter((key) => key !== null))
      await loosenFiles(tx, keys, now)
      return { ids: rows.map((row) => row.id), keys }
    })
    await dropFiles(ctx, gone.keys)
    ctx.hints.send(attachmentHint, gone.ids)
    return gone.ids.length
  })
})
