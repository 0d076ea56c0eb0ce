/** The media types that uploads may have: what the decoders and programs of this machine can read. */
import { attachmentFormats } from '@murmuration/contracts/media'
import { readableTypes } from '../../domain/upload.js'
import { handle } from '../../doors.js'

export const formats = handle(attachmentFormats, async (ctx) => ({
  mime_types: readableTypes({ ffmpeg: await ctx.ffmpeg.available(), avif: ctx.config.avif }),
}))
