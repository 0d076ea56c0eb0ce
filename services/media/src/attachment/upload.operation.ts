/** Handlers that receive uploads, and list the accepted media types. */
import { notFound, reply } from '@murmuration/contracts/kit'
import { attachmentFormats, uploadAttachment, uploadAttachmentNow } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { attachmentText } from '../core/attachment/json.js'
import { statusOfState } from '../core/attachment/rules.js'
import { type Attachment, attachmentById } from '../core/attachment/store.js'
import { readableTypes } from '../core/file/upload.rules.js'
import { handle } from '../handlers.js'
import { receive } from './receive-upload.js'

/** Receives an upload. Images are processed before the response (200). Other files are processed after the response (202). */
export const upload = handle(uploadAttachment, async (ctx, viewer, input, request) => {
  const row = await receive(ctx, viewer.id, input, request.idempotencyKey)
  const status = statusOfState(row.state, row.failure) === 206 ? 202 : 200
  return reply(attachmentText(ctx.addresses, row), { status })
})

const LOOK_MS = 250
/** Milliseconds before the deadline that are reserved for the response. */
const SPARE_MS = 3_000

/**
 * Waits until the worker has processed the attachment, or until the deadline is near. Returns the state of the
 * attachment at that time.
 */
const processed = async (ctx: Context, row: Attachment, endsAt: number): Promise<Attachment> => {
  if (row.state !== 'processing' || performance.now() > endsAt - SPARE_MS) return row
  await ctx.clock.sleep(LOOK_MS)
  const now = await attachmentById(ctx.db, row.id)
  if (now === null) throw notFound()
  return processed(ctx, now, endsAt)
}

/** Receives an upload and waits until it is processed, for clients of API version 1. */
export const uploadNow = handle(uploadAttachmentNow, async (ctx, viewer, input, request) => {
  const row = await processed(ctx, await receive(ctx, viewer.id, input, request.idempotencyKey), request.endsAt)
  const status = statusOfState(row.state, row.failure) === 206 ? 202 : 200
  return reply(attachmentText(ctx.addresses, row), { status })
})

/** Returns the accepted media types, which depend on the decoders and programs of this machine. */
export const formats = handle(attachmentFormats, async (ctx) => ({
  mime_types: readableTypes({ ffmpeg: await ctx.ffmpeg.available(), avif: ctx.config.avif }),
}))
