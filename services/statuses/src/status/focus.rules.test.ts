/** Parsing of focal points. */
import { expect, test } from 'vitest'
import { readFocus } from './focus.rules.js'

test.each([
  ['0.5,-1', [0.5, -1]],
  ['0,0', [0, 0]],
  ['2,0', undefined],
  ['1', undefined],
  ['a,b', undefined],
  ['', undefined],
  [null, undefined],
] as const)('%j is %j', (given, expected) => {
  expect(readFocus(given)).toEqual(expected)
})
