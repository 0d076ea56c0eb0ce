/** Processes uploads that take long; ends with a file that clients can play, or with a clear failure. */
import { Failure, isRetryable } from '@murmuration/contracts/kit'
import { processMediaJob } from '@murmuration/contracts/media'
import { ownRequest, within } from '@murmuration/kernel'
import { attachmentById } from '../core/attachment.store.js'
import { finish, giveUp } from '../core/finish-processing.js'
import { processStaged } from '../core/moving.js'
import { work } from '../handlers.js'

/** Storing what was made has its own time, however long making it took. */
const STORE_MS = 60_000

/** True for faults of the file: their text is for its owner. */
const isRefusal = (error: unknown): error is Failure => error instanceof Failure && error.code === 'unprocessable'

export const process = work(processMediaJob, async (ctx, { id }, { tries }) => {
  const row = await attachmentById(ctx.db, id)
  if (row?.state !== 'processing') return
  try {
    await ctx.benches.use(async (dir) => {
      const made = await processStaged(ctx, dir, row)
      await within(ownRequest(STORE_MS), () => finish(ctx, row, made))
    })
  } catch (error) {
    if (isRetryable(error) && tries < processMediaJob.retry.times) throw error
    await within(ownRequest(STORE_MS), () => giveUp(ctx, [id], isRefusal(error) ? error.message : null))
  }
})
