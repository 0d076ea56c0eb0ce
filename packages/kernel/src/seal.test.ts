/** Encrypted secrets in the form of older releases. */
import { expect, test } from 'vitest'
import { createSeal } from './seal.js'

const secret = 'NOhOoBdGOUDSdSgXxlmhqJtpykhpjp8WqzJo7ZUGIn8'
const old = 'AAECAwQFBgcICQoLB1sBHWyU_GDdw_v3lQp9k7MS-IzkAHr_WwXH72z1Mg'

test('a token encrypted by release 4.6.0 can be decrypted with its key and owner only', () => {
  const seal = createSeal(secret)
  expect(seal.open(old, '42')).toBe('an access token')
  expect(() => seal.open(old, '43')).toThrow()
  expect(() => createSeal(`A${secret.slice(1)}`).open(old, '42')).toThrow()
  expect(() => seal.open(`${old.slice(0, -2)}AA`, '42')).toThrow()
})

test.each(['', 'AAEC', 'v1', 'v1.AAEC', 'v2.AAECAwQFBgcICQoL.B1sBHWyU_GDdw_v3lQp9kw.sxL4'])(
  '%j is no encrypted secret',
  (text) => {
    expect(() => createSeal(secret).open(text, '42')).toThrow('not a sealed secret')
  },
)
