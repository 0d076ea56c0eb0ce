/** Ticks that delete unused files and attachments, and fail attachments whose processing takes too long. */

import { attachmentInvalidation } from '@murmuration/contracts/media'
import { deleteUnattached } from '../core/attachment/reservation.store.js'
import { PROCESSING_MS, UNATTACHED_MS } from '../core/attachment/rules.js'
import { keysOf, overdueProcessing } from '../core/attachment/store.js'
import { deleteFiles } from '../core/file/store-files.js'
import { deleteFileRows, insertUnusedFiles, makeFilesDue, startDueDeletions } from '../core/file/unused.store.js'
import { tooSlow } from '../core/file/upload.rules.js'
import { tick } from '../handlers.js'
import { giveUp } from './finish-processing.js'

const MAX_UNUSED = 1_000
/** Milliseconds (six hours) until a file that could not be deleted is tried again. Other files are deleted before it. */
const UNDELETED_MS = 6 * 3_600_000

/**
 * Deletes files to which no row refers, because a process ended between storing a file and its row, or between deleting
 * a row and its file.
 */
export const deleteUnusedFiles = tick('media.delete-loose-files', 60_000, async (ctx) => {
  const keys = await ctx.db.tx((tx) => startDueDeletions(tx, ctx.clock.date(), MAX_UNUSED))
  // If the store deletes nothing, this rejects and the files stay due. The next run then fails too, so that operators
  // notice it.
  const undeleted = new Set(await ctx.files.deleteMost(keys))
  await deleteFileRows(
    ctx.db,
    keys.filter((key) => !undeleted.has(key)),
  )
  if (undeleted.size === 0) return
  await makeFilesDue(ctx.db, [...undeleted], new Date(ctx.clock.now() + UNDELETED_MS))
  ctx.log.warn({ files: undeleted.size, keys: [...undeleted].slice(0, 10) }, 'unused files cannot be deleted')
})

const MAX_UNATTACHED = 500

/** Deletes attachments that have been in no status for a day. */
export const discardUnattached = tick('media.discard-unattached', 60_000, async (ctx) => {
  const before = new Date(ctx.clock.now() - UNATTACHED_MS)
  const rows = await ctx.db.tx(async (tx) => {
    const gone = await deleteUnattached(tx, before, MAX_UNATTACHED)
    await insertUnusedFiles(tx, keysOf(gone), ctx.clock.date())
    return gone
  })
  await deleteFiles(ctx, keysOf(rows))
  ctx.invalidations.send(
    attachmentInvalidation,
    rows.map((row) => row.id),
  )
})

const MAX_OVERDUE = 200

/** Fails attachments whose processing takes too long, so that no client waits permanently (F008). */
export const failOverdue = tick('media.fail-overdue', 30_000, async (ctx) => {
  const ids = await overdueProcessing(ctx.db, new Date(ctx.clock.now() - PROCESSING_MS), MAX_OVERDUE)
  if (ids.length === 0) return
  await giveUp(ctx, ids, tooSlow(PROCESSING_MS).message)
  ctx.log.warn({ attachments: ids }, 'uploads were not processed in time')
})

/** Deletes work directories of processes that ended. Each machine does this for its own directories. */
export const sweepWorkDirectories = tick(
  'media.sweep-work-directories',
  60_000,
  async (ctx) => {
    await ctx.workDirectories.sweep()
  },
  { alone: false },
)

const KEPT_MS = 24 * 3_600_000

/** Deletes uploads that stayed in staging for a day. */
export const sweepStaging = tick('media.sweep-staging', 600_000, async (ctx) => {
  const { deleted, undeleted } = await ctx.files.sweepStaging(new Date(ctx.clock.now() - KEPT_MS))
  if (deleted > 0) ctx.log.info({ deleted }, 'old uploads were deleted from staging')
  if (undeleted > 0) ctx.log.warn({ undeleted }, 'old uploads in staging cannot be deleted')
})
