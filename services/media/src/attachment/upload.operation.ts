/** Handlers that take uploads in, and list the types that they may have. */
import { notFound, reply } from '@murmuration/contracts/kit'
import { attachmentFormats, uploadAttachment, uploadAttachmentNow } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { statusOfState } from '../core/attachment.rules.js'
import { type Attachment, attachmentById } from '../core/attachment.store.js'
import { attachmentText } from '../core/attachment-json.js'
import { readableTypes } from '../core/upload.rules.js'
import { handle } from '../handlers.js'
import { receive } from './receive-upload.js'

/** Takes an upload in: pictures are ready at once, what takes longer later. */
export const upload = handle(uploadAttachment, async (ctx, viewer, input, request) => {
  const row = await receive(ctx, viewer.id, input, request.idempotencyKey)
  const status = statusOfState(row.state, row.failure) === 206 ? 202 : 200
  return reply(attachmentText(ctx.addresses, row), { status })
})

const LOOK_MS = 250
/** Part of the deadline that is reserved for the response. */
const SPARE_MS = 3_000

/** The attachment when the worker is done with it, or as it is when the time is over. */
const processed = async (ctx: Context, row: Attachment, endsAt: number): Promise<Attachment> => {
  if (row.state !== 'processing' || performance.now() > endsAt - SPARE_MS) return row
  await ctx.clock.sleep(LOOK_MS)
  const now = await attachmentById(ctx.db, row.id)
  if (now === null) throw notFound()
  return processed(ctx, now, endsAt)
}

/** Takes an upload in and waits until it is processed, for clients of the first version. */
export const uploadNow = handle(uploadAttachmentNow, async (ctx, viewer, input, request) => {
  const row = await processed(ctx, await receive(ctx, viewer.id, input, request.idempotencyKey), request.endsAt)
  const status = statusOfState(row.state, row.failure) === 206 ? 202 : 200
  return reply(attachmentText(ctx.addresses, row), { status })
})

/** The media types that uploads may have: what the decoders and programs of this machine can read. */
export const formats = handle(attachmentFormats, async (ctx) => ({
  mime_types: readableTypes({ ffmpeg: await ctx.ffmpeg.available(), avif: ctx.config.avif }),
}))
