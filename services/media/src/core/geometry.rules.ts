/** Sizes of pictures: how large a copy may be, and how its size is written in the API. */
import type { ImageGeometry } from '@murmuration/contracts/entities'

export interface Size {
  readonly width: number
  readonly height: number
}

/** No side of a copy is longer: the most that every format can hold. */
const LONGEST_SIDE = 16_383

/** Rounded down, a very long picture could lose its short side altogether. */
const scaled = ({ width, height }: Size, ratio: number): Size =>
  ratio >= 1
    ? { width, height }
    : { width: Math.max(1, Math.floor(width * ratio)), height: Math.max(1, Math.floor(height * ratio)) }

/** The largest size of the same shape with at most this many pixels; a smaller picture keeps its size. */
export const withinArea = (size: Size, pixels: number): Size =>
  scaled(
    size,
    Math.min(Math.sqrt(pixels / (size.width * size.height)), LONGEST_SIDE / Math.max(size.width, size.height)),
  )

/** The largest size of the same shape whose longer side has at most this many pixels. */
export const withinSide = ({ width, height }: Size, side: number): Size => {
  const ratio = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) }
}

/** A size as the API writes it. */
export const geometryOf = ({ width, height }: Size): ImageGeometry => ({
  width,
  height,
  size: `${width}x${height}`,
  aspect: width / height,
})
