/** Streams of a video or sound: parsed from the output of ffprobe, and checked against the limits. */
import type { AudioDetails, VideoDetails } from '@murmuration/contracts/entities'
import { errorText, fail, invalidField } from '@murmuration/contracts/kit'
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
  time_base: z.string().optional(),
  sample_aspect_ratio: z.string().optional(),
  color_transfer: z.string().optional(),
  color_range: z.string().optional(),
  nb_frames: number,
  duration: number,
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
  /** Size as stored, before the rotation and the pixel aspect ratio are applied. */
  width: number
  height: number
  rate: string
  /** False if the file states no frame rate. Then `rate` is a guess, which may be the clock of the container. */
  isRateStated: boolean
  /** Rotation in degrees for display, from the display matrix. */
  rotation: number
  /** Width of a pixel divided by its height. */
  pixelAspect: number
  /** Kind of high dynamic range, which needs tone mapping for ordinary screens; null for standard range. */
  hdr: 'pq' | 'hlg' | null
  fullRange: boolean
  /** Number of frames of the video; 0 if unknown. */
  frames: number
}

export interface Streams {
  video: Video | null
  audio: { codec: string } | null
  /** Whether the file contains a cover picture. */
  cover: boolean
  duration: number
  /** End of the last frame in seconds; 0 if it is unknown, or if the audio stream lasts as long. */
  lastFrameEnd: number
  bitrate: number
}

const fraction = (text: string | undefined): string | null =>
  text !== undefined && /^[1-9]\d{0,9}\/[1-9]\d{0,9}$/.test(text) ? text : null
const perSecond = (rate: string): number => {
  const [count = 0, seconds = 1] = rate.split('/').map(Number)
  return count / seconds
}
/** Frames per second from which a frame rate that equals the clock of its container is not credible. */
const CLOCK = 1_000
const isStated = ({ avg_frame_rate, time_base }: Stream): boolean => {
  const rate = fraction(avg_frame_rate)
  const base = fraction(time_base)
  return rate !== null && (base === null || perSecond(rate) < CLOCK || perSecond(rate) * perSecond(base) !== 1)
}
/** Maximum pixel aspect ratio. A ratio beyond it is replaced by 1. */
const MAX_ASPECT = 4
const aspectOf = (text: string | undefined): number => {
  const [wide = 0, high = 0] = (text ?? '').split(':').map(Number)
  const aspect = wide / high
  return aspect >= 1 / MAX_ASPECT && aspect <= MAX_ASPECT ? aspect : 1
}
const HDR: Partial<Record<string, 'pq' | 'hlg'>> = { smpte2084: 'pq', 'arib-std-b67': 'hlg' }
const isCover = (stream: Stream): boolean => stream.codec_type === 'video' && stream.disposition?.attached_pic === 1

/** Seconds by which a video must be longer than its sound, so that its last frame is shown until its end. */
const LONGER = 0.5

/** The used streams: the first video stream that is no cover, and the first audio stream. */
export const streamsOf = (probe: z.infer<typeof Probe>): Streams => {
  const video = probe.streams.find((stream) => stream.codec_type === 'video' && !isCover(stream))
  const audio = probe.streams.find((stream) => stream.codec_type === 'audio')
  const stated = video?.duration ?? 0
  return {
    video: video
      ? {
          codec: video.codec_name ?? '',
          pixels: video.pix_fmt ?? '',
          width: video.width ?? 0,
          height: video.height ?? 0,
          rate: fraction(video.avg_frame_rate) ?? fraction(video.r_frame_rate) ?? '25/1',
          isRateStated: isStated(video),
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
    lastFrameEnd: audio ? (stated > audio.duration + LONGER ? stated : 0) : probe.format.duration,
    bitrate: Math.round(probe.format.bit_rate),
  }
}

/** Size, codec and frame rate of a video, from its packets. */
export interface Measured {
  width: number
  height: number
  codec: string
  /** Frames per second; null for fewer than two frames. */
  framesPerSecond: number | null
}

/** Parses the output of ffmpeg's `framecrc` format; null without a video. */
export const measuredFrom = (output: string): Measured | null => {
  const [, width, height] = /^#dimensions 0: (\d{1,6})x(\d{1,6})$/m.exec(output) ?? []
  const [, ticks, base] = /^#tb 0: (\d{1,9})\/(\d{1,9})$/m.exec(output) ?? []
  if (!width || !height || !ticks || !base) return null
  const times = [...output.matchAll(/^0, +(-?\d{1,18}),/gm)].map(([, time]) => Number(time))
  const seconds = ((Number(times.at(-1)) - Number(times[0])) * Number(ticks)) / Number(base)
  const codec = /^#codec_id 0: (\w{1,64})$/m.exec(output)?.[1] ?? ''
  const framesPerSecond = seconds > 0 ? (times.length - 1) / seconds : null
  return { width: Number(width), height: Number(height), codec, framesPerSecond }
}

/**
 * End of the last packet in seconds, from the output of `lastPacketArguments` (`ffmpeg-arguments.ts`); 0 without a
 * packet.
 */
export const endIn = (output: string): number => {
  const [, ticks, base] = /^#tb 0: (\d{1,9})\/(\d{1,9})$/m.exec(output) ?? []
  const [, time, duration] = [...output.matchAll(/^0, +-?\d{1,18}, +(\d{1,18}), +(\d{1,18}),/gm)].at(-1) ?? []
  return ticks && base && time && duration ? ((Number(time) + Number(duration)) * Number(ticks)) / Number(base) : 0
}

/** True if the frame rate is a guess above the limit. A doubtful frame rate must be measured. */
export const isDoubtful = ({ video }: Streams): boolean =>
  video !== null && !video.isRateStated && Math.floor(perSecond(video.rate)) > limits.media.videoFramesPerSecond

/** The guessed frame rate; the measured one if both differ by more than a fifth. For a single frame, the rate is 0. */
const rateOf = (guessed: number, measured: Measured | null): number => {
  if (measured === null) return guessed
  const rate = measured.framesPerSecond ?? 0
  return Math.abs(guessed - rate) > guessed / 5 ? rate : guessed
}

/** Checks size and frame rate of a video against the limits. Throws an error that names the value. */
const checkVideo = ({ width, height }: { width: number; height: number }, framesPerSecond: number): void => {
  if (width < 1 || height < 1) throw invalidField('File has no picture')
  if (width * height > limits.media.videoPixels)
    throw fail('unprocessable', errorText('{width}x{height} videos are not supported', { width, height }))
  // Cameras write about 120.05 frames per second for 120, so parts of a frame are not counted.
  if (Math.floor(framesPerSecond) > limits.media.videoFramesPerSecond)
    throw fail('unprocessable', errorText('{rate}fps videos are not supported', { rate: Math.round(framesPerSecond) }))
}

/**
 * Checks the streams against the limits, and returns them. Throws an error for the owner. `measured`: measured
 * properties of a video whose frame rate is doubtful.
 */
export const checkStreams = (streams: Streams, measured: Measured | null = null): Streams => {
  const { video, audio } = streams
  if (!video && !audio) throw fail('unprocessable', 'File type of uploaded media could not be verified')
  if (video) checkVideo(video, rateOf(perSecond(video.rate), measured))
  return streams
}

/** Whether one of these decoders reads a codec. Decoders of some sounds have the name of the codec without its underscore. */
const isReadable = (codec: string, decoders: readonly string[]): boolean =>
  decoders.includes(codec) || decoders.includes(codec.replaceAll('_', ''))

/** Indexes of the used streams: among the video streams that are no covers, and among the audio streams. */
export interface Used {
  video: number
  sound: number
}

/**
 * Selects the first video stream and the first audio stream that the decoders read, from the output of `listArguments`
 * (`ffmpeg-arguments.ts`). If none of a kind is readable, selects the first one of that kind.
 */
export const usedFrom = (output: string, decoders: readonly string[]): Used => {
  const codecs = new Map(
    [...output.matchAll(/^#codec_id (\d{1,3}): (\w{1,64})$/gm)].map(([, at, codec]) => [at, codec]),
  )
  const kinds = [...output.matchAll(/^#media_type (\d{1,3}): (video|audio)$/gm)]
  const first = (kind: string): number =>
    Math.max(
      0,
      kinds.filter((one) => one[2] === kind).findIndex(([, at]) => isReadable(codecs.get(at) ?? '', decoders)),
    )
  return { video: first('video'), sound: first('audio') }
}

/** Codec of the sound, from the output of `measureArguments` (`ffmpeg-arguments.ts`); null without a sound. */
export const audioCodecIn = (output: string): string | null => {
  const [, stream] = /^#media_type (\d): audio$/m.exec(output) ?? []
  return stream === undefined ? null : (new RegExp(`^#codec_id ${stream}: (\\w{1,64})$`, 'm').exec(output)?.[1] ?? null)
}

/**
 * Called for a file that could not be probed. Throws the error of the first value that is not supported: size, frame
 * rate or codec of its video, or codec of its audio. Otherwise returns.
 */
export const refuseMeasured = (
  { video, sound }: { video: Measured | null; sound: string | null },
  decoders: readonly string[],
): void => {
  if (video !== null) checkVideo(video, video.framesPerSecond ?? 0)
  if (video !== null && video.codec !== '' && !decoders.includes(video.codec))
    throw fail('unprocessable', errorText('{codec} videos are not supported', { codec: video.codec }))
  if (sound !== null && !isReadable(sound, decoders))
    throw fail('unprocessable', errorText('{codec} sounds are not supported', { codec: sound }))
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
