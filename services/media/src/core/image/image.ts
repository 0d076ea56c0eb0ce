/** Image pipeline: decodes untrusted files and writes clean copies. The pipeline runs only in decoder processes. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encode } from 'blurhash'
import sharp, { type Sharp } from 'sharp'
import { isFull } from '../file/full-disk.rules.js'
import { picturesOf, RGBA, readApng } from './apng.js'
import { nameAvif } from './avif.js'
import type { Rgb } from './colors.rules.js'
import { completeWebp, decodeCutOff } from './cut-off.js'
import { hasEnoughRows } from './cut-off-jpeg.js'
import { type Size, withinArea, withinSide } from './geometry.rules.js'

/**
 * Size of a copy. `area`: maximum number of pixels. `side`: maximum number of pixels on the longer side. `cover`: exact
 * size; the parts of the picture beyond it are cropped.
 */
export type Fit = { area: number } | { side: number } | { cover: Size }

/** Instructions for processing one picture file. */
export interface Order {
  input: string
  /** Directory in which the decoder writes the results. */
  dir: string
  /** Maximum number of pixels (width × height) of a picture. A picture with more pixels is not decoded. */
  maxPixels: number
  /** Maximum number of pixels of one frame of an animation. */
  maxFramePixels: number
  avif: boolean
  /**
   * Handling of animations.
   *
   * - `keep`: stays an animation; if it is too large, or takes longer than `motionMs`, only the first frame is used.
   * - `refuse`: stays an animation; refused if it is too large.
   * - `still`: only the first frame is used.
   * - `leave`: not processed, so that ffmpeg can do it.
   */
  motion: 'keep' | 'refuse' | 'still' | 'leave'
  /** Time limit of an animation with `keep` in milliseconds. Absent: no limit, or half of the time limit of a decoder. */
  motionMs?: number
  /**
   * Size of the copy of the picture; null for no copy. The copy has the format of the picture, except that AVIF becomes
   * JPEG. Of an animated AVIF, only the still picture is copied. An animated PNG becomes WebP if it stays an animation.
   */
  main: Fit | null
  /**
   * True also creates a PNG of the first frame of an animation. Only with a still copy does an animated PNG stay an
   * animation. Other copies are attachments, which apps show as images.
   */
  still: boolean
  /** Size of the preview; null for no preview. */
  small: Fit | null
  /** Whether the preview is a PNG. A preview that is no PNG is a JPEG, or a WebP if the picture is transparent. */
  smallPng: boolean
}

export interface Made extends Size {
  path: string
  mediaType: string
  bytes: number
}

/**
 * Reason why a picture is refused. `unreadable`: no supported picture. `broken`: damaged. `moves`: an animation that is
 * left to ffmpeg. `no-still`: an animation without a still picture. `no-space`: the disk of this server is full.
 */
export type Refusal =
  | 'unreadable'
  | 'broken'
  | 'too-many-pixels'
  | 'too-many-frames'
  | 'moves'
  | 'no-still'
  | 'no-space'

export type Result = {
  /** True: an animation took too long, and the process still encodes it. */
  isBusy?: true
} & (
  | { refused: Refusal; size: Size | null; frames: number }
  | {
      refused: null
      mediaType: string
      frames: number
      size: Size
      main: Made | null
      still: Made | null
      small: Made | null
      blurhash: string
      /** Pixels of a small copy, from which colours are chosen. */
      pixels: Rgb[]
    }
)

/**
 * Maximum number of frames of an animation that stays an animation. A longer one is processed by ffmpeg, or only its
 * first frame is used.
 */
const MAX_FRAMES = 1_000
const FORMATS: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heif: 'image/avif',
}
const JPEG = { quality: 85 }
const WEBP = { quality: 80, effort: 2 }

/** Blocks all loaders of libvips except those of the accepted formats (A161). */
export const restrict = (avif: boolean): void => {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadWebp',
      'VipsForeignLoadNsgif',
      ...(avif ? ['VipsForeignLoadHeif'] : []),
    ],
  })
}

const sizeFor = (size: Size, fit: Fit): Size =>
  'cover' in fit ? fit.cover : 'area' in fit ? withinArea(size, fit.area) : withinSide(size, fit.side)

const sized = (image: Sharp, size: Size, fit: Fit): Sharp => {
  const { width, height } = sizeFor(size, fit)
  if (width === size.width && height === size.height) return image
  return image.resize(width, height, { fit: 'cover' in fit ? 'cover' : 'fill' })
}

/** The animation took longer than its time limit. */
class TooSlow extends Error {}

/** Rejects with `TooSlow` if `work` is not done at the time `until`. An encoder cannot be stopped, so it continues. */
const inTime = async <T>(until: number, work: () => Promise<T>): Promise<T> => {
  if (until === Number.POSITIVE_INFINITY) return work()
  const left = until - performance.now()
  if (left <= 0) throw new TooSlow()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow()), left)
  })
  return Promise.race([work(), late]).finally(() => clearTimeout(timer))
}

const inFormat = (image: Sharp, mediaType: string): Sharp => {
  if (mediaType === 'image/png') return image.png()
  if (mediaType === 'image/webp') return image.webp(WEBP)
  if (mediaType === 'image/gif') return image.gif({ effort: 3 })
  return image.flatten({ background: '#ffffff' }).jpeg(JPEG)
}

/** Writes a copy of a picture. `until`: time at which an animation is given up. */
const made = async (
  image: Sharp,
  dir: string,
  name: string,
  mediaType: string,
  until = Number.POSITIVE_INFINITY,
): Promise<Made> => {
  const path = join(dir, name)
  // Node writes the file instead of the encoder, so that a full disk can be distinguished from a damaged picture.
  const { data, info } = await inTime(until, () => inFormat(image, mediaType).toBuffer({ resolveWithObject: true }))
  await writeFile(path, data)
  return { path, mediaType, bytes: info.size, width: info.width, height: info.pageHeight ?? info.height }
}

interface Raw extends Size {
  data: Buffer
  channels: 1 | 2 | 3 | 4
}
const rawOf = async (image: Sharp): Promise<Raw> => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels as Raw['channels'] }
}
const fromRaw = ({ data, width, height, channels }: Raw): Sharp => sharp(data, { raw: { width, height, channels } })

const opaque = async (raw: Raw): Promise<boolean> => raw.channels % 2 === 1 || (await fromRaw(raw).stats()).isOpaque

const DOT = 32
/** Computes the blurhash of 4 × 4 components, and the pixels of the small copy that it is computed from. */
const glance = async (raw: Raw): Promise<{ blurhash: string; pixels: Rgb[] }> => {
  const tiny = await rawOf(
    fromRaw(raw)
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .resize(DOT, DOT, { fit: 'fill' })
      .ensureAlpha(),
  )
  const pixels = Array.from({ length: DOT * DOT }, (_, at): Rgb => {
    const [red = 0, green = 0, blue = 0] = tiny.data.subarray(at * 4, at * 4 + 3)
    return [red, green, blue]
  })
  return { blurhash: encode(new Uint8ClampedArray(tiny.data), DOT, DOT, 4, 4), pixels }
}

interface Source {
  mediaType: string
  frames: number
  size: Size
  /** Whether the copy is an animation. */
  moves: boolean
  /** The first picture in the size of the copy. */
  raw: Raw
  main: Made | null
}

/** Writes the copies of a picture besides `main`, and computes its description. */
const describe = async (order: Order, { raw, moves, ...source }: Source): Promise<Result> => {
  const small = order.small && (await rawOf(sized(fromRaw(raw), raw, order.small)))
  const smallType = order.smallPng ? 'image/png' : small && (await opaque(small)) ? 'image/jpeg' : 'image/webp'
  return {
    refused: null,
    ...source,
    still: order.still && moves ? await made(fromRaw(raw), order.dir, 'still', 'image/png') : null,
    small: small && (await made(fromRaw(small), order.dir, 'small', smallType)),
    ...(await glance(small ?? raw)),
  }
}

const refuse = (refused: Refusal, size: Size | null = null, frames = 1): Result => ({ refused, size, frames })

/** Largest fraction of the rows that may be missing in a truncated picture. */
const MAX_MISSING = 1 / 3
/**
 * Maximum number of pixels of a truncated picture, except a JPEG. During decoding, two copies of a truncated picture
 * are in memory.
 */
const MAX_CUT_OFF = 16_777_216

/** Whether an animation is small enough to stay one. */
const mayMove = ({ width, height }: Size, frames: number, order: Order): boolean =>
  width * height <= order.maxFramePixels && width * height * frames <= order.maxPixels && frames <= MAX_FRAMES

/** Maximum number of pixels of the copy of an animated PNG, summed over its frames. All frames are in memory at once. */
const MAX_APNG_COPY = 16_777_216

/** Draws an animated PNG, whose copy is a WebP. Returns null for any other file, and if only its first frame is used. */
const drawApng = async (order: Order, until: number): Promise<Result | null> => {
  const { main: fit } = order
  const apng = order.motion === 'keep' && order.still && fit ? readApng(await readFile(order.input)) : null
  const count = apng?.frames.length ?? 0
  if (apng === null || fit === null || count < 2 || !mayMove(apng, count, order)) return null
  const cover = withinArea(sizeFor(apng, fit), MAX_APNG_COPY / count)
  const { width, height } = cover
  const frameBytes = width * height * RGBA
  const pixels = Buffer.allocUnsafe(frameBytes * count)
  let filled = 0
  for await (const data of picturesOf(apng)) {
    if (performance.now() > until) throw new TooSlow()
    const picture = fromRaw({ data, width: apng.width, height: apng.height, channels: RGBA })
    filled += (await sized(picture, apng, { cover }).raw().toBuffer()).copy(pixels, filled)
  }
  const raw = { width, height: height * count, channels: RGBA, pageHeight: height } as const
  const delay = apng.frames.map((frame) => frame.delayMs)
  const copy = sharp(pixels, { raw, limitInputPixels: false }).webp({ ...WEBP, loop: apng.plays, delay })
  const size = { width: apng.width, height: apng.height }
  return describe(order, {
    mediaType: 'image/webp',
    frames: count,
    size,
    moves: true,
    raw: { data: pixels.subarray(0, frameBytes), width, height, channels: RGBA },
    main: await made(copy, order.dir, 'main', 'image/webp', until),
  })
}

/**
 * Decodes the image of an order and writes the copies that the order names. The header is checked first; then the file
 * is decoded once and turned upright, without metadata.
 */
export const render = async (order: Order): Promise<Result> => {
  const until = performance.now() + (order.motionMs ?? Number.POSITIVE_INFINITY)
  try {
    const moving = await drawApng(order, until).catch((error) => {
      if (error instanceof TooSlow || isFull(error)) throw error
      // Of a damaged animation, the first picture is drawn.
      return null
    })
    return moving ?? (await renderFile(order, until))
  } catch (error) {
    if (isFull(error)) return refuse('no-space')
    if (!(error instanceof TooSlow)) throw error
    return { ...(await renderFile({ ...order, motion: 'still' })), isBusy: true }
  }
}

const renderFile = async (order: Order, until = Number.POSITIVE_INFINITY): Promise<Result> => {
  const input = { failOn: 'error', limitInputPixels: order.maxPixels, sequentialRead: true } as const
  const lenient = { ...input, failOn: 'none' } as const
  const completed = await completeWebp(order.input, order.dir).catch((error) => {
    if (isFull(error)) return 'full' as const
    throw error
  })
  if (completed === 'full') return refuse('no-space')
  const isAvifAnimation = order.avif && (await nameAvif(order.input))
  const described = (from: typeof input | typeof lenient) =>
    sharp(completed?.[0] ?? order.input, { ...from, limitInputPixels: false })
      .metadata()
      .catch(() => null)
  // A truncated GIF has no metadata for a strict reader, because its frame count requires the whole file.
  const meta =
    (await described(input)) ?? (await described(lenient).then((found) => (found?.format === 'gif' ? found : null)))
  const mediaType = meta && FORMATS[meta.format]
  if (!meta && isAvifAnimation) return refuse('no-still')
  if (!meta || !mediaType || (mediaType === 'image/avif' && meta.compression !== 'av1')) return refuse('unreadable')
  const size = { width: meta.autoOrient.width, height: meta.pageHeight ?? meta.autoOrient.height }
  const frames = meta.pages ?? 1
  const pixels = size.width * size.height
  if (pixels > order.maxPixels) return refuse('too-many-pixels', size)
  const canMove = frames > 1 && (mediaType === 'image/gif' || mediaType === 'image/webp') && order.main !== null
  if (canMove && order.motion === 'leave')
    return refuse(pixels > order.maxFramePixels ? 'too-many-pixels' : 'moves', size)
  const fits = mayMove(size, frames, order)
  if (canMove && !fits && order.motion === 'refuse')
    return refuse(pixels > order.maxFramePixels ? 'too-many-pixels' : 'too-many-frames', size, frames)
  const moves = canMove && fits && order.motion !== 'still'
  // The frames of an animation are not turned, so its still and its preview are not turned either.
  const shown = moves ? { width: meta.width, height: meta.pageHeight ?? meta.height } : size
  const drawFrom = async (from: typeof input | typeof lenient, first = sharp(order.input, from)): Promise<Result> => {
    // Only the largest copy is made from the decoded file. The other copies are made from the pixels of the largest
    // copy.
    const largest = order.main ?? order.small ?? { side: DOT }
    const raw = await rawOf(sized(moves ? first : first.autoOrient(), shown, largest).toColourspace('srgb'))
    const kept = mediaType === 'image/avif' ? 'image/jpeg' : mediaType
    const moving = () => sized(sharp(order.input, { ...from, animated: true }), shown, largest)
    const limit = moves && order.motion === 'keep' ? until : undefined
    const main = order.main && (await made(moves ? moving() : fromRaw(raw), order.dir, 'main', kept, limit))
    return describe(order, { mediaType, frames, size: shown, moves, raw, main })
  }
  // Draws the existing rows of a truncated picture, as browsers show them. The missing part of a JPEG is grey.
  const drawCutOff = async (): Promise<Result> => {
    if (mediaType === 'image/jpeg')
      return (await hasEnoughRows(order.input, meta, lenient, MAX_MISSING)) ? drawFrom(lenient) : refuse('broken', size)
    const isUpright = (meta.orientation ?? 1) === 1
    if (frames > 1 || !isUpright || pixels > MAX_CUT_OFF || mediaType === 'image/avif') return refuse('broken', size)
    const found = await decodeCutOff(completed ?? [order.input], lenient, MAX_MISSING)
    if (found === null) return refuse('broken', size)
    const isOpaque = found.isWhole && !meta.hasAlpha
    return drawFrom(lenient, isOpaque ? fromRaw(found).removeAlpha() : fromRaw(found))
  }
  const drawn = (work: Promise<Result>, otherwise: () => Promise<Result> | Result): Promise<Result> =>
    work.catch((error) => {
      if (error instanceof TooSlow) throw error
      return isFull(error) ? refuse('no-space', size) : otherwise()
    })
  const cutOff = () => drawn(drawCutOff(), () => refuse('broken', size))
  return completed ? cutOff() : drawn(drawFrom(input), cutOff)
}
