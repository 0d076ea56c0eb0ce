/** Changes what an own attachment says about itself, and its cover. */
import { notFound, reply } from '@murmuration/contracts/kit'
import { attachmentHint, updateAttachment } from '@murmuration/contracts/media'
import { changeCovers, dropStaged, wantsCover } from '../../changes/change-covers.js'
import { checkDescription, statusOfState } from '../../domain/attachment.js'
import { parseFocus } from '../../domain/focus.js'
import { handle } from '../../doors.js'
import { editAttachments, lockAttachments, openAttachment } from '../../store/attachment.js'
import { attachmentText } from '../../views/attachment.js'

export const update = handle(updateAttachment, async (ctx, viewer, input) => {
  const { id, thumbnail } = input
  try {
    const row = await openAttachment(ctx.db, viewer.id, id)
    if (row === null) throw notFound()
    const description = checkDescription(input.description)
    const focus = parseFocus(input.focus)
    statusOfState(row.state, row.failure)
    await changeCovers(ctx, thumbnail && wantsCover(row) ? [{ row, file: thumbnail }] : [], async (tx) => {
      // Since it was looked at, a status may have taken it.
      const [open] = await lockAttachments(tx, viewer.id, [id])
      if (open === undefined || (open.status !== null && !open.scheduled)) throw notFound()
      await editAttachments(tx, [{ id, description, focus: focus ?? undefined }])
    })
    ctx.hints.send(attachmentHint, [id])
    const now = await openAttachment(ctx.db, viewer.id, id)
    if (now === null) throw notFound()
    return reply(attachmentText(ctx.addresses, now), { status: statusOfState(now.state, now.failure) })
  } finally {
    await dropStaged(ctx, [thumbnail])
  }
})
