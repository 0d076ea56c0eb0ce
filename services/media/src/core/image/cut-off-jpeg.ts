/** Checks how much of a truncated JPEG can be decoded. The decoder fills missing rows with grey, like browsers. */
import { readFile } from 'node:fs/promises'
import sharp, { type SharpOptions } from 'sharp'
import { readsRows } from './cut-off.js'
import type { Size } from './geometry.rules.js'

/** Bytes appended to a JPEG without its end marker, because the decoder reads some bytes beyond the last row. */
const AHEAD = Buffer.alloc(8)

const SCAN = 0xda
const END = 0xd9
/** Markers without a length: stuffed bytes, restarts and the start of the picture. */
const isBare = (marker: number): boolean => marker < 0x02 || (marker >= 0xd0 && marker <= 0xd8)

/** Whether a second scan begins. The first scan is complete then, and with it all rows in a coarse form. */
const hasSecondScan = (jpeg: Buffer): boolean => {
  let scans = 0
  let at = jpeg.indexOf(0xff, 2)
  while (at >= 0 && at + 4 <= jpeg.length) {
    const marker = jpeg.readUInt8(at + 1)
    if (marker === END) return false
    if (marker === SCAN && ++scans === 2) return true
    const length = marker === 0xff ? 1 : isBare(marker) ? 2 : 2 + jpeg.readUInt16BE(at + 2)
    at = jpeg.indexOf(0xff, at + length)
  }
  return false
}

/** Value of each channel with which the decoder fills missing rows. */
const FILLED = 128
const LOOK_COLUMNS = 32
const LOOK_ROWS = 60

/**
 * Fraction of the rows, counted from the bottom of the picture, that have the grey with which the decoder fills missing
 * rows.
 */
const greyPart = async (jpeg: Buffer, options: SharpOptions): Promise<number> => {
  const look = sharp(jpeg, options).resize(LOOK_COLUMNS, LOOK_ROWS, { fit: 'fill', kernel: 'nearest' })
  const { data, info } = await look.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const row = info.width * info.channels
  const isFlat = (at: number): boolean =>
    data.subarray(at * row, (at + 1) * row).every((value) => Math.abs(value - FILLED) <= 3)
  let flat = 0
  while (flat < info.height && isFlat(info.height - 1 - flat)) flat++
  return flat / info.height
}

/**
 * Whether at most the fraction `maxMissing` of the rows of a truncated JPEG is missing. `size`: as stored, before it is
 * turned upright.
 *
 * A file of several scans is read to its end before the first row. If the file ends in the first of several scans, grey
 * rows at the end of the picture count as missing. The decoder does not name the last row that it read.
 */
export const hasEnoughRows = async (
  path: string,
  { width, height }: Size,
  options: SharpOptions,
  maxMissing: number,
): Promise<boolean> => {
  const jpeg = await readFile(path)
  const needed = Math.ceil(height * (1 - maxMissing))
  return (
    (await readsRows(Buffer.concat([jpeg, AHEAD]), width, needed, options)) ||
    hasSecondScan(jpeg) ||
    (await greyPart(jpeg, options)) <= maxMissing
  )
}
