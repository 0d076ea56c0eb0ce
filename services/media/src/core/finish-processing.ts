/** The end of processing: what was made is stored, or the attachment has failed for good. */
import { attachmentHint } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { type Attachment, failProcessing, finishProcessing, keysOf } from './attachment.store.js'
import { dropFiles, keepFiles } from './keep-files.js'
import { loosenFiles } from './loose-file.store.js'
import type { DrawnAttachment } from './pictures.js'

/** Stores what was made from a waiting upload. */
export const finish = async (ctx: Context, row: Attachment, { files, facts }: DrawnAttachment): Promise<void> => {
  const staged = keysOf([row])
  const made = files.map((file) => file.key)
  const gone = await keepFiles(ctx, files, async (tx, size) => {
    const done = await finishProcessing(tx, row.id, { ...facts, size })
    // Deleted or given up meanwhile: nobody holds what was made.
    const loose = done === null ? made : staged
    await loosenFiles(tx, loose, ctx.clock.date())
    return loose
  })
  await dropFiles(ctx, gone)
  ctx.hints.send(attachmentHint, [row.id])
}

/** Fails attachments that will never be ready, with what they were to be made from. `failure` is the text for their owner. */
export const giveUp = async (ctx: Context, ids: readonly string[], failure: string | null = null): Promise<void> => {
  const keys = await ctx.db.tx(async (tx) => {
    const rows = await failProcessing(tx, ids, failure)
    const loose = keysOf(rows)
    await loosenFiles(tx, loose, ctx.clock.date())
    return loose
  })
  await dropFiles(ctx, keys)
  ctx.hints.send(attachmentHint, ids)
}
