/** Takes an upload in and waits until it is processed, for clients of the first version. */
import { notFound, reply } from '@murmuration/contracts/kit'
import { uploadAttachmentNow } from '@murmuration/contracts/media'
import { receive } from '../../changes/receive-upload.js'
import type { Context } from '../../context.js'
import { statusOfState } from '../../domain/attachment.js'
import { handle } from '../../doors.js'
import { type Attachment, attachmentById } from '../../store/attachment.js'
import { attachmentText } from '../../views/attachment.js'

const LOOK_MS = 250
/** What is left of the request's time for the answer. */
const SPARE_MS = 3_000

/** The attachment when the worker is done with it, or as it is when the time is over. */
const processed = async (ctx: Context, row: Attachment, endsAt: number): Promise<Attachment> => {
  if (row.state !== 'processing' || performance.now() > endsAt - SPARE_MS) return row
  await ctx.clock.sleep(LOOK_MS)
  const now = await attachmentById(ctx.db, row.id)
  if (now === null) throw notFound()
  return processed(ctx, now, endsAt)
}

export const uploadNow = handle(uploadAttachmentNow, async (ctx, viewer, input, request) => {
  const row = await processed(ctx, await receive(ctx, viewer.id, input, request.idempotencyKey), request.endsAt)
  const status = statusOfState(row.state, row.failure) === 206 ? 202 : 200
  return reply(attachmentText(ctx.addresses, row), { status })
})
