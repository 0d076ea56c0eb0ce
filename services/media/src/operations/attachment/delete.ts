/** Deletes an own attachment that no status holds, with all its files. */
import { notFound } from '@murmuration/contracts/kit'
import { attachmentHint, deleteAttachment } from '@murmuration/contracts/media'
import { dropFiles } from '../../changes/keep-files.js'
import { inUse } from '../../domain/attachment.js'
import { handle } from '../../doors.js'
import { keysOf, lockAttachments } from '../../store/attachment.js'
import { deleteAttachments } from '../../store/holding.js'
import { loosenFiles } from '../../store/loose-file.js'

export const deleteOne = handle(deleteAttachment, async (ctx, viewer, { id }) => {
  const keys = await ctx.db.tx(async (tx) => {
    const [row] = await lockAttachments(tx, viewer.id, [id])
    if (row === undefined) throw notFound()
    if (row.status !== null) throw inUse()
    const gone = keysOf(await deleteAttachments(tx, [id]))
    await loosenFiles(tx, gone, ctx.clock.date())
    return gone
  })
  await dropFiles(ctx, keys)
  ctx.hints.send(attachmentHint, [id])
  return {}
})
