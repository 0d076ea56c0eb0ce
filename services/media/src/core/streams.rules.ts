/** Streams of a video or sound: parsed from the output of ffprobe, and checked against the limits. */
import type { AudioDetails, VideoDetails } from '@murmuration/contracts/entities'
import { fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { z } from 'zod'

const number = z
  .union([z.number(), z.string()])
  .optional()
  .transform((value) => (Number.isFinite(Number(value)) ? Math.max(0, Number(value)) : 0))
const Stream = z.object({
  codec_type: z.string(),
  codec_name: z.string().optional(),
  pix_fmt: z.string().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  avg_frame_rate: z.string().optional(),
  r_frame_rate: z.string().optional(),
  sample_aspect_ratio: z.string().optional(),
  color_transfer: z.string().optional(),
  color_range: z.string().optional(),
  nb_frames: number,
  disposition: z.object({ attached_pic: z.int().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
})
/** Output of `ffprobe -of json` with streams and format. */
export const Probe = z.object({
  streams: z.array(Stream).max(64).default([]),
  format: z.object({ duration: number, bit_rate: number }).default({ duration: 0, bit_rate: 0 }),
})
type Stream = z.infer<typeof Stream>

export interface Video {
  codec: string
  pixels: string
  /** Stored size, before rotation and pixel aspect ratio are applied. */
  width: number
  height: number
  rate: string
  /** Rotation in degrees for display, from the display matrix. */
  rotation: number
  /** Width of a pixel divided by its height. */
  pixelAspect: number
  /** High dynamic range, which needs tone mapping for ordinary screens; null without it. */
  hdr: 'pq' | 'hlg' | null
  fullRange: boolean
  /** 0 if unknown. */
  frames: number
}

export interface Streams {
  video: Video | null
  audio: { codec: string } | null
  /** Whether the file contains a cover picture. */
  cover: boolean
  duration: number
  bitrate: number
}

const fraction = (text: string | undefined): string | null =>
  text !== undefined && /^[1-9]\d{0,8}\/[1-9]\d{0,8}$/.test(text) ? text : null
const perSecond = (rate: string): number => {
  const [count = 0, seconds = 1] = rate.split('/').map(Number)
  return count / seconds
}
/** Largest accepted pixel aspect ratio. A more extreme one is treated as 1. */
const MOST_ASPECT = 4
const aspectOf = (text: string | undefined): number => {
  const [wide = 0, high = 0] = (text ?? '').split(':').map(Number)
  const aspect = wide / high
  return aspect >= 1 / MOST_ASPECT && aspect <= MOST_ASPECT ? aspect : 1
}
const HDR: Partial<Record<string, 'pq' | 'hlg'>> = { smpte2084: 'pq', 'arib-std-b67': 'hlg' }
const isCover = (stream: Stream): boolean => stream.codec_type === 'video' && stream.disposition?.attached_pic === 1

/** The used streams: the first video stream that is no cover, and the first audio stream. */
export const streamsOf = (probe: z.infer<typeof Probe>): Streams => {
  const video = probe.streams.find((stream) => stream.codec_type === 'video' && !isCover(stream))
  const audio = probe.streams.find((stream) => stream.codec_type === 'audio')
  return {
    video: video
      ? {
          codec: video.codec_name ?? '',
          pixels: video.pix_fmt ?? '',
          width: video.width ?? 0,
          height: video.height ?? 0,
          rate: fraction(video.avg_frame_rate) ?? fraction(video.r_frame_rate) ?? '25/1',
          rotation: video.side_data_list?.find((one) => one.rotation !== undefined)?.rotation ?? 0,
          pixelAspect: aspectOf(video.sample_aspect_ratio),
          hdr: HDR[video.color_transfer ?? ''] ?? null,
          fullRange: video.color_range === 'pc',
          frames: Math.round(video.nb_frames),
        }
      : null,
    audio: audio ? { codec: audio.codec_name ?? '' } : null,
    cover: probe.streams.some(isCover),
    duration: probe.format.duration,
    bitrate: Math.round(probe.format.bit_rate),
  }
}

/** Checks the streams against the limits, and returns them. Throws an error for the owner. */
export const admitStreams = (streams: Streams): Streams => {
  const { video, audio } = streams
  if (!video && !audio) throw fail('unprocessable', 'File type of uploaded media could not be verified')
  if (video) {
    if (video.width < 1 || video.height < 1) throw invalidField('File has no picture')
    if (video.width * video.height > limits.media.videoPixels)
      throw fail('unprocessable', `${video.width}x${video.height} videos are not supported`)
    if (perSecond(video.rate) > limits.media.videoFramesPerSecond)
      throw fail('unprocessable', `${Math.round(perSecond(video.rate))}fps videos are not supported`)
  }
  return streams
}

/** Whether all browsers play the streams without transcoding. */
export const isPlayable = ({ video, audio }: Streams): boolean =>
  video?.codec === 'h264' &&
  video.pixels === 'yuv420p' &&
  video.hdr === null &&
  (audio === null || audio.codec === 'aac')

/** Whether a rotation swaps the sides. Players apply quarter turns only, as ffmpeg does, which tolerates one degree. */
const isQuarterTurn = (degrees: number): boolean => Math.abs((Math.abs(degrees) % 180) - 90) <= 1

/** Size for display: with square pixels, and after rotation. */
export const shownSize = ({ width, height, pixelAspect, rotation }: Video): { width: number; height: number } => {
  const wide = Math.max(1, Math.round(width * pixelAspect))
  const high = Math.max(1, height)
  return isQuarterTurn(rotation) ? { width: high, height: wide } : { width: wide, height: high }
}

export const videoDetails = ({ video, duration, bitrate }: Streams): VideoDetails => ({
  ...(video ? shownSize(video) : { width: 1, height: 1 }),
  frame_rate: video?.rate ?? '25/1',
  duration,
  bitrate,
})
export const audioDetails = ({ duration, bitrate }: Streams): AudioDetails => ({ duration, bitrate })
