/** Parses focal points. A focal point is the part of a picture that stays visible when it is cropped. */
import { invalidField } from '@murmuration/contracts/kit'

/** Focal point of a picture: x to the right and y upwards, each from -1 to 1. 0,0 is the centre. */
export type Focus = readonly [x: number, y: number]

const bounded = (value: number): number => Math.min(1, Math.max(-1, value))

/**
 * Parses `x,y`. Null if nothing was given. Numbers beyond the edges are set to the edge. Throws if the text is no focal
 * point.
 */
export const parseFocus = (text: string | null | undefined): Focus | null => {
  if (text === null || text === undefined) return null
  const parts = text.split(',').map((part) => (/^\s*[-+]?(\d+\.?\d*|\.\d+)\s*$/.test(part) ? Number(part) : Number.NaN))
  const [x, y] = parts
  if (parts.length !== 2 || x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y))
    throw invalidField('Focus must be two numbers from -1 to 1, such as 0.5,-0.25')
  return [bounded(x), bounded(y)]
}

/** A focal point of another service, limited to the edges. Returns null if the focal point is not valid. */
export const safeFocus = (focus: readonly [number, number] | null | undefined): Focus | null =>
  focus && Number.isFinite(focus[0]) && Number.isFinite(focus[1]) ? [bounded(focus[0]), bounded(focus[1])] : null
