/** Tests of the Range header against RFC 9110 section 14. */

import { expect, test } from 'vitest'
import { BlobError } from './errors.js'
import { checkRange, parseRange } from './range.js'

const part = (start: number, end: number) => ({ kind: 'part', start, end })
const whole = { kind: 'whole' }
const unsatisfiable = { kind: 'unsatisfiable' }

test.each([
  ['bytes=0-499', 10_000, part(0, 499)],
  ['bytes=500-999', 10_000, part(500, 999)],
  ['bytes=-500', 10_000, part(9_500, 9_999)],
  ['bytes=9500-', 10_000, part(9_500, 9_999)],
  ['bytes=0-0', 10_000, part(0, 0)],
  ['bytes=-1', 10_000, part(9_999, 9_999)],
  ['bytes=0-', 10_000, part(0, 9_999)],
  ['bytes=0-20000', 10_000, part(0, 9_999)],
  ['bytes=-20000', 10_000, part(0, 9_999)],
  ['Bytes=0-1', 10_000, part(0, 1)],
  [`bytes=0-${'9'.repeat(40)}`, 10_000, part(0, 9_999)],
])('%s of %i bytes is a part', (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected)
})

test.each([
  ['bytes=10000-', 10_000],
  ['bytes=10000-10001', 10_000],
  [`bytes=${'9'.repeat(40)}-`, 10_000],
  ['bytes=-0', 10_000],
  ['bytes=0-', 0],
  ['bytes=0-0', 0],
])('%s of %i bytes cannot be satisfied', (header, size) => {
  expect(parseRange(header, size)).toEqual(unsatisfiable)
})

test.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=a-b',
  'bytes=5-2',
  'bytes=0-1,5-6',
  'bytes=0-1, -1',
  'bytes=0 - 1',
  'bytes=+0-1',
  'bytes=0x0-1',
  'items=0-1',
  `bytes=${'0'.repeat(200)}-1`,
])('%s is ignored', (header) => {
  expect(parseRange(header, 10_000)).toEqual(whole)
})

test('a suffix range of an empty file is the whole file', () => {
  expect(parseRange('bytes=-5', 0)).toEqual(whole)
})

test.each([
  [{ start: 5, end: 4 }, 10],
  [{ start: -1 }, 10],
  [{ start: 0.5 }, 10],
  [{ start: 10 }, 10],
  [{ start: 0 }, 0],
])('%j of %i bytes is a bad range', (range, size) => {
  expect(() => checkRange(range, size)).toThrow(BlobError)
})
