/** The digest that unknown names are compared with: made again after it could not be made. */
import * as argon2 from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { createPasswords } from './passwords.js'

test('a failure to make it refuses one request and not all later ones', async () => {
  const hash = vi.fn(argon2.hash)
  const passwords = createPasswords({ atOnce: 2, hash })
  hash.mockRejectedValueOnce(new Error('out of memory'))
  await expect(passwords.matches(null, 'guess')).rejects.toThrow('out of memory')
  expect(await passwords.matches(null, 'guess')).toBe(false)
  // A stored digest needs no other one, so the failure has no effect.
  const other = createPasswords({ atOnce: 2, hash })
  const stored = await other.hash('right')
  hash.mockRejectedValueOnce(new Error('out of memory'))
  expect(await other.matches(stored, 'right')).toBe(true)
  expect(await other.matches(null, 'right')).toBe(false)
})
