/** Focal points as clients send them: `x,y`, each from -1 to 1. */

/** Parses a focal point; undefined if invalid. */
export const readFocus = (given: string | null | undefined): [number, number] | undefined => {
  const parts = (given ?? '').split(',').map((part) => Number.parseFloat(part))
  const [x, y] = parts
  if (parts.length !== 2 || x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y))
    return undefined
  return Math.abs(x) <= 1 && Math.abs(y) <= 1 ? [x, y] : undefined
}
