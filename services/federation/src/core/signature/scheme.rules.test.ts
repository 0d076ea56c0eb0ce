/** Signature schemes: the numbers and names that are stored. */
import { expect, test } from 'vitest'
import { isSignatureScheme, signatureSchemes } from './scheme.rules.js'

test('the stored number of each signature scheme does not change', () => {
  expect(Object.entries(signatureSchemes)).toEqual([
    ['0', 'cavage'],
    ['1', 'cavage-without-query'],
    ['2', 'rfc9421'],
  ])
})

test('a stored name is a signature scheme only if it is one of them', () => {
  expect([...signatureSchemes, 'rfc', '', null].map(isSignatureScheme)).toEqual([true, true, true, false, false, false])
})
