/** Fails attachments whose processing never ended, so that nobody waits for ever (F008). */

import { giveUp } from '../changes/finish-processing.js'
import { PROCESSING_MS } from '../domain/attachment.js'
import { tick } from '../doors.js'
import { overdueProcessing } from '../store/attachment.js'

const MOST = 200

export const failOverdue = tick('media.fail-overdue', 30_000, async (ctx) => {
  const ids = await overdueProcessing(ctx.db, new Date(ctx.clock.now() - PROCESSING_MS), MOST)
  if (ids.length > 0) await giveUp(ctx, ids)
})
