/** Changes what an own attachment says about itself, and its cover. */
import { join } from 'node:path'
import { notFound, reply } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { attachmentHint, type StagedFile, updateAttachment } from '@murmuration/contracts/media'
import type { Tx } from '@murmuration/db'
import { dropFiles, keepFiles } from '../../changes/keep-files.js'
import type { Context } from '../../context.js'
import { checkDescription, statusOfState } from '../../domain/attachment.js'
import { fileTypeOf } from '../../domain/file-type.js'
import { parseFocus } from '../../domain/focus.js'
import { admitPicture } from '../../domain/upload.js'
import { handle } from '../../doors.js'
import { freshKey } from '../../outside/files.js'
import { drawCover } from '../../outside/pictures.js'
import { type Attachment, editAttachments, lockAttachments, openAttachment, setCover } from '../../store/attachment.js'
import { loosenFiles } from '../../store/loose-file.js'
import { attachmentText } from '../../views/attachment.js'

/** Pictures are their own cover; what is being processed gets its cover from the upload. */
const wantsCover = (row: Attachment): boolean => row.state === 'done' && ['video', 'audio'].includes(row.type)

/** The new cover is kept, the old one goes; `edit` is part of the same change. */
const changeCover = (ctx: Context, row: Attachment, file: StagedFile, edit: (tx: Tx) => Promise<void>): Promise<void> =>
  ctx.benches.use(async (dir) => {
    const seen = await ctx.files.look(file.key)
    admitPicture('Thumbnail', seen && fileTypeOf(seen.head), seen?.size ?? 0, limits.media.imageBytes)
    await ctx.files.bring(file.key, join(dir, 'cover'))
    const drawn = await drawCover(ctx, dir, 'cover', (_copy, mediaType) => freshKey('media', mediaType), true)
    const old = row.small_key === null ? [] : [row.small_key]
    await keepFiles(ctx, drawn.files, async (tx, size) => {
      await edit(tx)
      await setCover(tx, row.id, { ...drawn.facts, blurhash: row.type === 'audio' ? null : drawn.facts.blurhash, size })
      await loosenFiles(tx, old, ctx.clock.date())
    })
    await dropFiles(ctx, old)
  })

export const update = handle(updateAttachment, async (ctx, viewer, input) => {
  const { id, thumbnail } = input
  try {
    const description = checkDescription(input.description)
    const focus = parseFocus(input.focus)
    const row = await openAttachment(ctx.db, viewer.id, id)
    if (row === null) throw notFound()
    statusOfState(row.state)
    const edit = async (tx: Tx) => {
      // Since it was looked at, a status may have taken it.
      const [open] = await lockAttachments(tx, viewer.id, [id])
      if (open === undefined || (open.status !== null && !open.scheduled)) throw notFound()
      await editAttachments(tx, [{ id, description, focus: focus ?? undefined }])
    }
    if (thumbnail && wantsCover(row)) await changeCover(ctx, row, thumbnail, edit)
    else await ctx.db.tx(edit)
    ctx.hints.send(attachmentHint, [id])
    const now = await openAttachment(ctx.db, viewer.id, id)
    if (now === null) throw notFound()
    return reply(attachmentText(ctx.addresses, now), { status: statusOfState(now.state) })
  } finally {
    if (thumbnail) await ctx.files.delete([thumbnail.key]).catch(() => undefined)
  }
})
