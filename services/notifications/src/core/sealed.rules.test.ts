/** Sealed tokens open for nobody else. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, unseal } from './sealed.rules.js'

const secret = randomBytes(32).toString('base64url')
const other = randomBytes(32).toString('base64url')

test('a sealed text opens with its key and owner only, and never looks the same twice', () => {
  const sealed = seal(secret, 'token', '7')
  expect(sealed).not.toContain('token')
  expect(seal(secret, 'token', '7')).not.toBe(sealed)
  expect(unseal(secret, sealed, '7')).toBe('token')
  expect(unseal(secret, sealed, '8')).toBeNull()
  expect(unseal(other, sealed, '7')).toBeNull()
  expect(unseal(secret, `${sealed.slice(0, -2)}AA`, '7')).toBeNull()
  expect(unseal(secret, '', '7')).toBeNull()
})
