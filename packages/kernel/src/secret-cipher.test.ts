/** Encrypted secrets in the form of older releases, and after a change of SECRET_KEY_BASE. */
import { expect, test } from 'vitest'
import { createSecretCipher, secretCipherFor } from './secret-cipher.js'

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

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]
const before = secretCipherFor({ secretKeyBase: A }, 'keys')
const during = secretCipherFor({ secretKeyBase: B, secretKeyBasePrevious: A }, 'keys')
const after = secretCipherFor({ secretKeyBase: B, secretKeyBasePrevious: '' }, 'keys')

test('after a change of the base, secrets of the previous one can be read, and new ones have the current key', () => {
  const stored = before.encrypt('secret', '42')
  expect(during.decrypt(stored, '42')).toBe('secret')
  expect(() => during.decrypt(stored, '43')).toThrow(
    'is encrypted with neither SECRET_KEY_BASE nor SECRET_KEY_BASE_PREVIOUS',
  )
  expect(after.decryptOrNull(stored, '42')).toBeNull()
  expect(
    secretCipherFor({ secretKeyBase: B, secretKeyBasePrevious: A }, 'other').decryptOrNull(stored, '42'),
  ).toBeNull()
  const fresh = during.encrypt('secret', '42')
  expect(after.decrypt(fresh, '42')).toBe('secret')
  expect(before.decryptOrNull(fresh, '42')).toBeNull()
})

test('secrets of the previous base and of release 4.6.0 are renewed once, and unreadable ones are reported', () => {
  const stored = before.encrypt('secret', '42')
  const renewed = during.renew(stored, '42') as { state: string; encrypted: string }
  expect(renewed.state).toBe('renewed')
  expect(after.decrypt(renewed.encrypted, '42')).toBe('secret')
  expect(during.renew(renewed.encrypted, '42')).toEqual({ state: 'current' })
  expect(after.renew(stored, '42')).toEqual({ state: 'unreadable' })
  expect(after.renew('v2.a', '42')).toEqual({ state: 'unreadable' })
  expect(createSecretCipher(secret).renew(old, '42').state).toBe('renewed')
  const previous = createSecretCipher('other', secret)
  expect(previous.decrypt(old, '42')).toBe('an access token')
})
