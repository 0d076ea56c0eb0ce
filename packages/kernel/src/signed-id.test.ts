/** Signed ids are valid with their key only, and until they expire. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readSignedId, signId } from './signed-id.js'

const secret = randomBytes(32).toString('base64url')
const other = randomBytes(32).toString('base64url')

test('a signed id contains one id until it expires', () => {
  const token = signId(secret, '42', 10_000)
  expect(readSignedId(secret, token, 9_999)).toBe('42')
  expect(readSignedId(secret, token, 10_000)).toBeNull()
  expect(readSignedId(other, token, 0)).toBeNull()
  expect(readSignedId(secret, token.replace('42', '43'), 0)).toBeNull()
  expect(readSignedId(secret, token.replace('.10.', '.99.'), 0)).toBeNull()
  expect(readSignedId(secret, 'nonsense', 0)).toBeNull()
})
