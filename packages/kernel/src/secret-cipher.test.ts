/** Encrypted secrets in the form of older releases. */
import { expect, test } from 'vitest'
import { createSecretCipher } from './secret-cipher.js'

const secret = 'NOhOoBdGOUDSdSgXxlmhqJtpykhpjp8WqzJo7ZUGIn8'
const old = 'AAECAwQFBgcICQoLB1sBHWyU_GDdw_v3lQp9k7MS-IzkAHr_WwXH72z1Mg'

test('a token encrypted by release 4.6.0 can be decrypted with its key and owner only', () => {
  const secretCipher = createSecretCipher(secret)
  expect(secretCipher.decrypt(old, '42')).toBe('an access token')
  expect(() => secretCipher.decrypt(old, '43')).toThrow()
  expect(() => createSecretCipher(`A${secret.slice(1)}`).decrypt(old, '42')).toThrow()
  expect(() => secretCipher.decrypt(`${old.slice(0, -2)}AA`, '42')).toThrow()
})

test.each(['', 'AAEC', 'v1', 'v1.AAEC', 'v2.AAECAwQFBgcICQoL.B1sBHWyU_GDdw_v3lQp9kw.sxL4'])(
  '%j is no encrypted secret',
  (text) => {
    expect(() => createSecretCipher(secret).decrypt(text, '42')).toThrow('not an encrypted secret')
  },
)
