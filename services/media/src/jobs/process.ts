/** Processes uploads that take long; ends with a file that clients can play, or with a clear failure. */
import { isRetryable } from '@murmuration/contracts/kit'
import { attachmentHint, attachmentProcessed, processMediaJob } from '@murmuration/contracts/media'
import { ownRequest, within } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { work } from '../doors.js'
import { dropFiles, keepFiles } from '../outside/keeping.js'
import { processStaged } from '../outside/moving.js'
import type { DrawnAttachment } from '../outside/pictures.js'
import { type Attachment, attachmentById, failProcessing, finishProcessing, keysOf } from '../store/attachment.js'
import { loosenFiles } from '../store/loose-file.js'

/** Storing what was made has its own time, however long making it took. */
const STORE_MS = 60_000

const store = async (ctx: Context, row: Attachment, { files, facts }: DrawnAttachment): Promise<void> => {
  const staged = keysOf([row])
  const made = files.map((file) => file.key)
  const gone = await keepFiles(ctx, files, async (tx, size) => {
    const done = await finishProcessing(tx, row.id, { ...facts, size })
    // Deleted or given up meanwhile: nobody holds what was made.
    const loose = done === null ? made : staged
    await loosenFiles(tx, loose, ctx.clock.date())
    if (done)
      await ctx.announce(tx, attachmentProcessed, { id: row.id, owner: row.owner, status: done.status, ok: true })
    return loose
  })
  await dropFiles(ctx, gone)
}

/** Fails attachments that will never be ready, with what they were to be made from. */
export const giveUp = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  const keys = await ctx.db.tx(async (tx) => {
    const rows = await failProcessing(tx, ids)
    const loose = keysOf(rows)
    await loosenFiles(tx, loose, ctx.clock.date())
    const events = rows.map(({ id, owner, status }) => ({ id, owner, status, ok: false }))
    await ctx.announce(tx, attachmentProcessed, ...events)
    return loose
  })
  await dropFiles(ctx, keys)
  ctx.hints.send(attachmentHint, ids)
}

export const process = work(processMediaJob, async (ctx, { id }, { tries }) => {
  const row = await attachmentById(ctx.db, id)
  if (row?.state !== 'processing') return
  try {
    await ctx.benches.use(async (dir) => {
      const made = await processStaged(ctx, dir, row)
      await within(ownRequest(STORE_MS), () => store(ctx, row, made))
    })
    ctx.hints.send(attachmentHint, [id])
  } catch (error) {
    if (isRetryable(error) && tries < processMediaJob.retry.times) throw error
    await within(ownRequest(STORE_MS), () => giveUp(ctx, [id]))
  }
})
