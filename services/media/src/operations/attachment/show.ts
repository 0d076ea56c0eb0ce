/** Shows an own attachment: how far its processing is. */
import { notFound, reply } from '@murmuration/contracts/kit'
import { showAttachment } from '@murmuration/contracts/media'
import { statusOfState } from '../../domain/attachment.js'
import { handle } from '../../doors.js'
import { openAttachment } from '../../store/attachment.js'
import { attachmentText } from '../../views/attachment.js'

export const show = handle(showAttachment, async (ctx, viewer, { id }) => {
  const row = await openAttachment(ctx.db, viewer.id, id)
  if (row === null) throw notFound()
  return reply(attachmentText(ctx.addresses, row), { status: statusOfState(row.state, row.failure) })
})
