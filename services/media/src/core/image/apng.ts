/** Decodes animated PNGs, of which the decoder of pictures reads only the first frame. */
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import type { Size } from './geometry.rules.js'

/** A frame: its place in the picture, and how it changes the picture. */
interface Frame extends Size {
  left: number
  top: number
  delayMs: number
  /** Change of the area of the frame after it was shown. */
  after: 'keep' | 'clear' | 'restore'
  /** True: the frame is drawn over the picture. False: it replaces the picture in its area. */
  isOver: boolean
  /** Parts of its compressed pixels. */
  data: Buffer[]
}

export interface Apng extends Size {
  /** Number of times that the animation is shown; 0 for no limit. */
  plays: number
  frames: Frame[]
  /** The header, and the chunks about colours, which apply to each frame. */
  header: Buffer
  colors: Buffer[]
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** Bytes of a chunk besides its data: length, type and checksum. */
const CHUNK_FRAME = 12
const HEADER_BYTES = 13
const CONTROL_BYTES = 26
const COLORS = new Set(['PLTE', 'tRNS', 'iCCP', 'sRGB', 'gAMA', 'cHRM'])
/** Browsers replace delays up to 10 ms by 100 ms. */
const REPLACED_DELAY_MS = 10
const USUAL_DELAY_MS = 100
const MAX_DELAY_MS = 65_535

const chunkOf = (type: string, ...data: Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

const frameOf = (control: Buffer): Frame => {
  const [count, divisor] = [control.readUInt16BE(20), control.readUInt16BE(22) || 100]
  const delayMs = Math.round((count * 1_000) / divisor)
  return {
    width: control.readUInt32BE(4),
    height: control.readUInt32BE(8),
    left: control.readUInt32BE(12),
    top: control.readUInt32BE(16),
    delayMs: delayMs > REPLACED_DELAY_MS ? Math.min(delayMs, MAX_DELAY_MS) : USUAL_DELAY_MS,
    after: (['keep', 'clear', 'restore'] as const)[control.readUInt8(24)] ?? 'keep',
    isOver: control.readUInt8(25) === 1,
    data: [],
  }
}

/** Parses an animated PNG. Returns null for any other file, and if a frame is damaged or not within the picture. */
export const readApng = (png: Buffer): Apng | null => {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE) || png.length < SIGNATURE.length + CHUNK_FRAME) return null
  let [header, plays]: [Buffer | null, number | null] = [null, null]
  const colors: Buffer[] = []
  const frames: Frame[] = []
  for (let at = SIGNATURE.length; at + CHUNK_FRAME <= png.length; ) {
    const end = at + CHUNK_FRAME + png.readUInt32BE(at)
    if (end > png.length) return null
    const type = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, end - 4)
    at = end
    if (type === 'IHDR' && data.length === HEADER_BYTES) header = data
    else if (type === 'acTL' && data.length >= 8) plays = data.readUInt32BE(4)
    else if (type === 'fcTL' && data.length === CONTROL_BYTES) frames.push(frameOf(data))
    else if (COLORS.has(type) && frames.length < 2) colors.push(chunkOf(type, data))
    // IDAT is a frame only if an fcTL precedes it.
    else if (type === 'IDAT' && plays === null) return null
    else if (type === 'IDAT') frames.at(-1)?.data.push(data)
    else if (type === 'fdAT') frames.at(-1)?.data.push(data.subarray(4))
    else if (type === 'IEND') break
  }
  if (header === null || plays === null) return null
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const isWithin = (it: Frame) =>
    it.width > 0 && it.height > 0 && it.left + it.width <= width && it.top + it.height <= height && it.data.length > 0
  return frames.every(isWithin) ? { width, height, plays: Math.min(plays, MAX_DELAY_MS), frames, header, colors } : null
}

/** Channels of a pixel. */
export const RGBA = 4

/** Decodes the pixels of one frame, as a PNG of its own. */
const pixelsOf = async ({ header, colors }: Apng, frame: Frame): Promise<Buffer> => {
  const own = Buffer.from(header)
  own.writeUInt32BE(frame.width, 0)
  own.writeUInt32BE(frame.height, 4)
  const png = Buffer.concat([
    SIGNATURE,
    chunkOf('IHDR', own),
    ...colors,
    chunkOf('IDAT', ...frame.data),
    chunkOf('IEND'),
  ])
  const { data, info } = await sharp(png, { failOn: 'error', limitInputPixels: frame.width * frame.height })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== RGBA || data.length !== frame.width * frame.height * RGBA) throw new Error('not RGBA')
  return data
}

/** Draws a pixel over another one. Alpha is not premultiplied. */
const drawOver = (to: Buffer, at: number, from: Buffer, fromAt: number): void => {
  const alpha = (from[fromAt + 3] ?? 0) / 255
  const below = ((to[at + 3] ?? 0) / 255) * (1 - alpha)
  const sum = alpha + below
  if (sum === 0) return
  for (let i = 0; i < 3; i++)
    to[at + i] = Math.round(((from[fromAt + i] ?? 0) * alpha + (to[at + i] ?? 0) * below) / sum)
  to[at + 3] = Math.round(sum * 255)
}

const drawFrame = (canvas: Buffer, { width }: Size, frame: Frame, pixels: Buffer): void => {
  for (let y = 0; y < frame.height; y++) {
    const [to, from] = [((frame.top + y) * width + frame.left) * RGBA, y * frame.width * RGBA]
    if (frame.isOver) for (let x = 0; x < frame.width * RGBA; x += RGBA) drawOver(canvas, to + x, pixels, from + x)
    else pixels.copy(canvas, to, from, from + frame.width * RGBA)
  }
}

const clearFrame = (canvas: Buffer, { width }: Size, frame: Frame): void => {
  for (let y = 0; y < frame.height; y++) {
    const to = ((frame.top + y) * width + frame.left) * RGBA
    canvas.fill(0, to, to + frame.width * RGBA)
  }
}

/** The pictures of an animation in order, as RGBA pixels. A picture is valid until the next one is read. */
export async function* picturesOf(apng: Apng): AsyncGenerator<Buffer> {
  const canvas = Buffer.alloc(apng.width * apng.height * RGBA)
  for (const [i, frame] of apng.frames.entries()) {
    const before = frame.after === 'restore' && i > 0 ? Buffer.from(canvas) : null
    // The frames are decoded one after another, because a frame is drawn over the previous ones.
    drawFrame(canvas, apng, frame, await pixelsOf(apng, frame))
    yield canvas
    if (before !== null) before.copy(canvas)
    else if (frame.after !== 'keep') clearFrame(canvas, apng, frame)
  }
}
