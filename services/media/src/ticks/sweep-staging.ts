/** Deletes uploads that nobody fetched from staging for a day. */
import { tick } from '../doors.js'

const KEPT_MS = 24 * 3_600_000

export const sweepStaging = tick('media.sweep-staging', 600_000, async (ctx) => {
  const deleted = await ctx.files.sweepStaging(new Date(ctx.clock.now() - KEPT_MS))
  if (deleted > 0) ctx.log.info({ deleted }, 'forgotten uploads are gone')
})
