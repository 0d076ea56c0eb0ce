/** Tests of the digest that passwords of unknown users are compared with. */
import * as argon2 from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { createPasswords } from './passwords.js'

test('a failure to create the dummy digest fails one request and no later ones', async () => {
  const hash = vi.fn(argon2.hash)
  const passwords = createPasswords({ atOnce: 2, hash })
  hash.mockRejectedValueOnce(new Error('out of memory'))
  await expect(passwords.matches(null, 'guess')).rejects.toThrow('out of memory')
  expect(await passwords.matches(null, 'guess')).toBe(false)
  // A comparison with a stored digest does not need the dummy digest, so the failure has no effect.
  const other = createPasswords({ atOnce: 2, hash })
  const stored = await other.hash('right')
  hash.mockRejectedValueOnce(new Error('out of memory'))
  expect(await other.matches(stored, 'right')).toBe(true)
  expect(await other.matches(null, 'right')).toBe(false)
})
