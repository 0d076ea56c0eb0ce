/** Schemas of images, videos and audio files attached to statuses. */
import { z } from 'zod'
import { Id, Url } from './primitive.js'

const pixels = z.int().positive()
const seconds = z.number().nonnegative()
const hexColor = z.string().regex(/^#[0-9a-f]{6}$/i)

/** Size of an image in pixels; `size` and `aspect` are derived from it. */
export const ImageGeometry = z
  .strictObject({ width: pixels, height: pixels, size: z.string().regex(/^\d+x\d+$/), aspect: z.number().positive() })
  .meta({ id: 'ImageGeometry', description: 'Size of a picture in pixels, and its aspect ratio.' })
export type ImageGeometry = z.infer<typeof ImageGeometry>

/** Details of a video. `frame_rate` is a fraction such as `30/1`; `duration` is in seconds, `bitrate` in bits per second. */
export const VideoDetails = z
  .strictObject({
    width: pixels,
    height: pixels,
    frame_rate: z.string().regex(/^\d+\/\d+$/),
    duration: seconds,
    bitrate: z.int().nonnegative(),
  })
  .meta({ id: 'VideoDetails', description: 'Size, frame rate and duration of a video.' })
export type VideoDetails = z.infer<typeof VideoDetails>

/** Details of an audio file. `duration` is in seconds, `bitrate` in bits per second. */
export const AudioDetails = z
  .strictObject({ duration: seconds, bitrate: z.int().nonnegative() })
  .meta({ id: 'AudioDetails', description: 'Duration of an audio file.' })
export type AudioDetails = z.infer<typeof AudioDetails>

/** Metadata of a file. `focus` is present after it was set. `colors` is present for audio and video with a cover. */
export const MediaMeta = z
  .strictObject({
    original: z.union([ImageGeometry, VideoDetails, AudioDetails]).optional(),
    small: ImageGeometry.optional(),
    focus: z.strictObject({ x: z.number().min(-1).max(1), y: z.number().min(-1).max(1) }).optional(),
    colors: z.strictObject({ background: hexColor, foreground: hexColor, accent: hexColor }).optional(),
  })
  .meta({ id: 'MediaMeta', description: 'Measurements of an attachment.' })
export type MediaMeta = z.infer<typeof MediaMeta>

export const MediaType = z.enum(['image', 'gifv', 'video', 'audio', 'unknown'])
export type MediaType = z.infer<typeof MediaType>

/** A file of a status. `url` is null during processing. `remote_url` and `preview_remote_url` are null for local files. */
export const MediaAttachment = z
  .strictObject({
    id: Id,
    type: MediaType,
    url: Url.nullable(),
    preview_url: Url.nullable(),
    remote_url: Url.nullable(),
    preview_remote_url: Url.nullable(),
    text_url: Url.nullable(),
    meta: MediaMeta.nullable(),
    description: z.string().nullable(),
    blurhash: z.string().nullable(),
  })
  .meta({ id: 'MediaAttachment', description: 'A file attached to a status.' })
export type MediaAttachment = z.infer<typeof MediaAttachment>
