/** Takes an upload in: pictures are ready at once, what takes longer later. */
import { reply } from '@murmuration/contracts/kit'
import { uploadAttachment } from '@murmuration/contracts/media'
import { receive } from '../../changes/receive-upload.js'
import { statusOfState } from '../../domain/attachment.js'
import { handle } from '../../doors.js'
import { attachmentText } from '../../views/attachment.js'

export const upload = handle(uploadAttachment, async (ctx, viewer, input, request) => {
  const row = await receive(ctx, viewer.id, input, request.idempotencyKey)
  const status = statusOfState(row.state, row.failure) === 206 ? 202 : 200
  return reply(attachmentText(ctx.addresses, row), { status })
})
