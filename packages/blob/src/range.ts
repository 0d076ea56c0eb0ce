/** Reads the Range header of a request for a file (RFC 9110 section 14). */

import { BlobError } from './errors.js'
import type { ByteRange } from './store.js'

/** Result of a Range header: the whole file (200), a part (206, both ends inclusive) or unsatisfiable (416). */
export type ParsedRange = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' }

const whole: ParsedRange = { kind: 'whole' }
const singleRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

/**
 * Returns the byte range that the Range header `header` selects in a file of `size` bytes. Any other header (absent,
 * another unit, several ranges, a first position behind the last) is ignored, as the RFC allows.
 *
 * @example
 * parseRange('bytes=0-99', 1000)   // { kind: 'part', start: 0, end: 99 }
 * parseRange('bytes=1000-', 1000)  // { kind: 'unsatisfiable' }; respond 416 with `content-range: bytes * /1000`
 */
export function parseRange(header: string | undefined, size: number): ParsedRange {
  const match = header === undefined || header.length > 128 ? null : singleRange.exec(header)
  if (!match) return whole
  const [, first = '', last = ''] = match
  if (first === '') return last === '' ? whole : suffix(Number(last), size)
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return whole
  if (start >= size) return { kind: 'unsatisfiable' }
  return { kind: 'part', start, end }
}

function suffix(length: number, size: number): ParsedRange {
  if (length === 0) return { kind: 'unsatisfiable' }
  return size === 0 ? whole : { kind: 'part', start: Math.max(0, size - length), end: size - 1 }
}

/** Throws `bad_range` when the end is before the start, or the start is not within `size` bytes. */
export function checkRange({ start, end = start }: ByteRange, size = Number.POSITIVE_INFINITY): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start && start < size) return
  throw new BlobError('bad_range', 'the range starts behind the end')
}
