/** Sizes of pictures: how large a copy may be, and how its size is written in the API. */
import type { ImageGeometry } from '@murmuration/contracts/entities'

export interface Size {
  readonly width: number
  readonly height: number
}

/** The largest size of the same shape with at most this many pixels; a smaller picture keeps its size. */
export const withinArea = ({ width, height }: Size, pixels: number): Size => {
  if (width * height <= pixels) return { width, height }
  const ratio = Math.sqrt(pixels / (width * height))
  // Rounded down, a very long picture could lose its short side altogether.
  return { width: Math.max(1, Math.floor(width * ratio)), height: Math.max(1, Math.floor(height * ratio)) }
}

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
