/** Ends the processing of an attachment: stores the result, or marks it as failed. */
import { attachmentInvalidation } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { type Attachment, failProcessing, finishProcessing, keysOf } from '../core/attachment/store.js'
import { deleteFiles, storeFiles } from '../core/file/store-files.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import type { DrawnAttachment } from '../core/picture/draw.js'

/** Stores the result of a processed upload, and deletes the staged files. */
export const finish = async (ctx: Context, row: Attachment, { files, columns }: DrawnAttachment): Promise<void> => {
  const staged = keysOf([row])
  const made = files.map((file) => file.key)
  const gone = await storeFiles(ctx, files, async (tx, size) => {
    const done = await finishProcessing(tx, row.id, { ...columns, size })
    // If `done` is null, the attachment was deleted or has failed meanwhile, and the files of the result are deleted.
    // Otherwise the staged files are deleted.
    const unused = done === null ? made : staged
    await insertUnusedFiles(tx, unused, ctx.clock.date())
    return unused
  })
  await deleteFiles(ctx, gone)
  ctx.invalidations.send(attachmentInvalidation, [row.id])
}

/** Marks attachments as failed and deletes their files. `failure`: reason for the owner, or null. */
export const giveUp = async (ctx: Context, ids: readonly string[], failure: string | null = null): Promise<void> => {
  const keys = await ctx.db.tx(async (tx) => {
    const rows = await failProcessing(tx, ids, failure)
    const unused = keysOf(rows)
    await insertUnusedFiles(tx, unused, ctx.clock.date())
    return unused
  })
  await deleteFiles(ctx, keys)
  ctx.invalidations.send(attachmentInvalidation, ids)
}
