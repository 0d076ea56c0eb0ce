/** Decodes truncated pictures: existing rows are kept, and missing rows are transparent, like in browsers. */
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type SharpOptions } from 'sharp'
import { inflatedRows } from './png-rows.js'

/** Raw pixels of a picture, with four channels. */
export interface Pixels {
  data: Buffer
  width: number
  height: number
  channels: 4
}

/** Decoded pixels of a truncated picture. */
export interface CutOff extends Pixels {
  /** True if all rows could be decoded, so that none became transparent. */
  isWhole: boolean
}

const HEADER = 12
/** Maximum fraction of the bytes of a WebP that may be missing. */
const MAX_BYTES_MISSING = 0.6

/**
 * Number of bytes of a WebP that are missing according to its header. Null if no bytes are missing, if a larger
 * fraction than `MAX_BYTES_MISSING` is missing, or if the file is no WebP.
 */
const missingBytes = async (path: string): Promise<number | null> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER), 0, HEADER, 0)
    const name = `${buffer.toString('latin1', 0, 4)}${buffer.toString('latin1', 8, HEADER)}`
    if (bytesRead < HEADER || name !== 'RIFFWEBP') return null
    const promised = buffer.readUInt32LE(4) + 8
    const missing = promised - (await file.stat()).size
    return missing > 0 && missing <= promised * MAX_BYTES_MISSING ? missing : null
  } finally {
    await file.close()
  }
}

/**
 * Paths of a truncated WebP that was completed with two different fillers. A row of pixels that differs between both
 * files is missing.
 */
export type Completed = readonly [zeros: string, others: string]

/**
 * Additional bytes of the filler. The decoder may need more bytes than are missing, because the filler decodes to
 * another length.
 */
const SLACK = 65_536

/** Offset of the chunk in which the file ends. Returns null if the file ends between two chunks. */
const lastChunk = (there: Buffer): number | null => {
  let at = HEADER
  while (at + 8 <= there.length) {
    const end = at + 8 + there.readUInt32LE(at + 4)
    if (end > there.length) return at
    at = end + (end % 2)
  }
  return null
}

/** The file with `filler` in place of the missing bytes. A lossy picture gets `SLACK` additional bytes. */
const completed = (there: Buffer, missing: number, filler: number): Buffer => {
  const at = lastChunk(there)
  const isLossy = at !== null && there.toString('latin1', at, at + 4) === 'VP8 '
  const more = missing + (isLossy ? SLACK : 0)
  const whole = Buffer.concat([there, Buffer.alloc(more, filler)])
  if (!isLossy) return whole
  whole.writeUInt32LE(whole.length - at - 8, at + 4)
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

/**
 * Writes completed copies of a truncated WebP to `dir`, because the decoder refuses truncated files. Returns null if
 * the file is no truncated WebP.
 */
export const completeWebp = async (path: string, dir: string): Promise<Completed | null> => {
  const missing = await missingBytes(path)
  if (missing === null) return null
  const there = await readFile(path)
  const write = async (name: string, filler: number): Promise<string> => {
    const to = join(dir, name)
    await writeFile(to, completed(there, missing, filler))
    return to
  }
  return [await write('completed-0', 0), await write('completed-1', 0xaa)]
}

const decode = async (path: string, options: SharpOptions): Promise<Pixels> => {
  const image = sharp(path, options).toColourspace('srgb').ensureAlpha()
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 4 }
}

const rowOf = ({ data, width }: Pixels, at: number): Buffer => data.subarray(at * width * 4, (at + 1) * width * 4)

/**
 * Index of the first of the empty rows at the end of a picture. The decoder leaves missing rows transparent, or black
 * without an alpha channel.
 */
const firstEmpty = (pixels: Pixels, hasAlpha: boolean): number => {
  const isEmpty = (row: Buffer): boolean => {
    for (let at = 0; at < row.length; at += 4)
      if (row[at] !== 0 || row[at + 1] !== 0 || row[at + 2] !== 0 || (hasAlpha && row[at + 3] !== 0)) return false
    return true
  }
  let first = pixels.height
  while (first > 0 && isEmpty(rowOf(pixels, first - 1))) first--
  return first
}

/** Whether the decoder reads the first `rows` without reaching the end of the file. It decodes no further rows. */
export const readsRows = (file: Buffer, width: number, rows: number, options: SharpOptions): Promise<boolean> =>
  sharp(file, { ...options, failOn: 'truncated' })
    .extract({ left: 0, top: 0, width, height: rows })
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    )

/** End markers of the pixels and of the file, appended to a truncated GIF. Without them, the decoder reads no row. */
const GIF_END = Buffer.from([0x00, 0x3b])
/**
 * Placeholder for the checksum of the last chunk, appended to a truncated PNG. Without a checksum, the decoder does not
 * confirm the last rows, although it draws them.
 */
const CHECKSUM = Buffer.alloc(4)
/** Maximum number of times that a picture is decoded to find its first missing row. */
const MAX_DECODED = 16

/**
 * Index of the first row of a PNG that cannot be decoded; 0 if fewer than `least` rows can be read.
 *
 * The decoder reads all rows in the compressed data except up to 16 at the end, so the search begins there, with growing
 * steps. After `MAX_DECODED` tries, some rows may count as missing although they can be read. Rows that were not read are
 * never kept, because they contain uninitialised memory.
 */
const firstUnreadable = async (file: Buffer, { width, height }: Pixels, least: number, options: SharpOptions) => {
  if (!(await readsRows(file, width, least, options))) return 0
  if (await readsRows(Buffer.concat([file, CHECKSUM]), width, height, options)) return height
  const rows = await inflatedRows(file)
  let [read, missing, step] = [least, rows >= least ? Math.min(rows + 1, height) : height, 1]
  for (let tries = 0; tries < MAX_DECODED && missing - read > 1; tries++) {
    const at = Math.max(missing - step, Math.ceil((read + missing) / 2))
    const isRead = await readsRows(file, width, at, options)
    if (isRead) read = at
    else missing = at
    step = isRead ? height : step * 2
  }
  return read
}

/**
 * Index of the first missing row of a PNG or GIF. A PNG is decoded row by row. The decoder leaves uninitialised memory in its missing
 * rows. The decoder draws a GIF or interlaced PNG as a whole, and leaves missing rows empty.
 */
const firstMissing = async (path: string, pixels: Pixels, least: number, options: SharpOptions): Promise<number> => {
  const { format, hasAlpha, isProgressive } = await sharp(path, options).metadata()
  const file = await readFile(path)
  const { width, height } = pixels
  if (format === 'gif')
    return (await readsRows(Buffer.concat([file, GIF_END]), width, height, options)) ? height : firstEmpty(pixels, true)
  return isProgressive ? firstEmpty(pixels, hasAlpha) : firstUnreadable(file, pixels, least, options)
}

/** Index of the first row of pixels that differs between two fillers, and is therefore missing in the file. */
const firstDifferent = (one: Pixels, other: Pixels): number => {
  let first = 0
  while (first < one.height && rowOf(one, first).equals(rowOf(other, first))) first++
  return first
}

/**
 * Decodes a truncated PNG or GIF, or a completed WebP. Missing rows of pixels become transparent. Returns null if more
 * than the fraction `maxMissing` of the rows is missing. Throws if nothing can be decoded.
 */
export const decodeCutOff = async (
  paths: readonly [string] | Completed,
  options: SharpOptions,
  maxMissing: number,
): Promise<CutOff | null> => {
  const [path, other] = paths
  const pixels = await decode(path, options)
  const least = Math.ceil(pixels.height * (1 - maxMissing))
  const first =
    other === undefined
      ? await firstMissing(path, pixels, least, options)
      : firstDifferent(pixels, await decode(other, options))
  if (first < least) return null
  pixels.data.fill(0, first * pixels.width * 4)
  return { ...pixels, isWhole: first === pixels.height }
}
