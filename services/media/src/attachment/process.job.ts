/** Job that processes an upload of a video, a sound or an animation. The attachment ends as done or as failed. */
import { Failure, isRetryable } from '@murmuration/contracts/kit'
import { processMediaJob } from '@murmuration/contracts/media'
import { ownRequest, within } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { PROCESSING_MS } from '../core/attachment/rules.js'
import { type Attachment, attachmentById } from '../core/attachment/store.js'
import { killedRepeatedly } from '../core/file/upload.rules.js'
import { isKilled } from '../core/process/child.js'
import { processStaged } from '../core/video/moving.js'
import { work } from '../handlers.js'
import { finish, giveUp } from './finish-processing.js'

/**
 * Milliseconds within which the result must be stored, at 2 MB per second for the largest file. The limit begins after
 * the processing, however long that took.
 */
const STORE_MS = 4 * 60_000

/**
 * Number of tries of a file whose decoder or transcoder is killed. It is low, because the file may be the cause, and each
 * try may end other programs. The pauses between these tries are seconds, so that the time limit of processing is later.
 */
const KILLED_TRIES = 3

/**
 * Whether the next try of a job would begin after the time limit of processing. In that case the attachment would fail
 * as too slow, and the reason why this try failed would be lost.
 */
const isLastInTime = (ctx: Context, row: Attachment, tries: number): boolean => {
  const { delays } = processMediaJob.retry
  const pause = (delays[tries - 1] ?? delays.at(-1) ?? 0) * 1_000
  return ctx.clock.now() + pause >= row.created_at.getTime() + PROCESSING_MS
}

/** Whether the error says that the uploaded file is at fault. The owner of the file sees the text of such an error. */
const isRefusal = (error: unknown): error is Failure => error instanceof Failure && error.code === 'unprocessable'

export const process = work(processMediaJob, async (ctx, { id }, { tries }) => {
  const row = await attachmentById(ctx.db, id)
  if (row?.state !== 'processing') return
  try {
    await ctx.workDirectories.use(async (dir) => {
      const made = await processStaged(ctx, dir, row)
      await within(ownRequest(STORE_MS), () => finish(ctx, row, made))
    })
  } catch (error) {
    const killed = isKilled(error)
    const isLast = tries >= (killed ? KILLED_TRIES : processMediaJob.retry.times) || isLastInTime(ctx, row, tries)
    if (isRetryable(error) && !isLast) throw error
    if (!isRefusal(error)) {
      const full = error instanceof Failure && error.code === 'no_space'
      const line = full ? 'an upload was given up, because the disk stayed full' : 'an upload could not be processed'
      ctx.log.error({ attachment: id, tries, error }, line)
    }
    const reason = killed ? killedRepeatedly() : error
    await within(ownRequest(STORE_MS), () => giveUp(ctx, [id], isRefusal(reason) ? reason.message : null))
  }
})
