/** Computes the sizes of copies of pictures, and converts sizes to the form of the API. */
import type { ImageGeometry } from '@murmuration/contracts/entities'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Longest side of a copy in pixels. All image formats support this length. */
const MAX_SIDE = 16_383

/** A picture size multiplied by a ratio. Each side has at least one pixel, also in extremely long pictures. */
const scaled = ({ width, height }: Size, ratio: number): Size =>
  ratio >= 1
    ? { width, height }
    : { width: Math.max(1, Math.floor(width * ratio)), height: Math.max(1, Math.floor(height * ratio)) }

/** The largest size with the same aspect ratio and at most `pixels` pixels. A smaller picture keeps its size. */
export const withinArea = (size: Size, pixels: number): Size =>
  scaled(size, Math.min(Math.sqrt(pixels / (size.width * size.height)), MAX_SIDE / Math.max(size.width, size.height)))

/** The largest size with the same aspect ratio whose longer side has at most `side` pixels. */
export const withinSide = ({ width, height }: Size, side: number): Size => {
  const ratio = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) }
}

/** A size in the representation of the API. */
export const geometryOf = ({ width, height }: Size): ImageGeometry => ({
  width,
  height,
  size: `${width}x${height}`,
  aspect: width / height,
})
