/** Sizes as text: `1.18 MB`. */

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB']

/** A number of bytes with three significant digits; units are multiples of 1024. */
export const humanSize = (bytes: number): string => {
  let [size, unit] = [bytes, 0]
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${unit === 0 ? size : Number(size.toPrecision(3))} ${UNITS[unit]}`
}
