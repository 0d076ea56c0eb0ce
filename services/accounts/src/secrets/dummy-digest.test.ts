/** The digest that unknown names are compared with: made again after it could not be made. */
import * as argon2 from '@node-rs/argon2'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { createPasswords as create } from './passwords.js'

const hash = vi.fn(argon2.hash)
let createPasswords: typeof create
beforeAll(async () => {
  // Test files share loaded modules, so the module is loaded once more with the replacement.
  vi.resetModules()
  vi.doMock('@node-rs/argon2', () => ({ ...argon2, hash }))
  ;({ createPasswords } = await import('./passwords.js'))
})
afterAll(() => {
  vi.doUnmock('@node-rs/argon2')
  vi.resetModules()
})

test('a failure to make it refuses one request and not all later ones', async () => {
  const passwords = createPasswords({ atOnce: 2 })
  hash.mockRejectedValueOnce(new Error('out of memory'))
  await expect(passwords.matches(null, 'guess')).rejects.toThrow('out of memory')
  expect(await passwords.matches(null, 'guess')).toBe(false)
  // A stored digest needs no other one, so the failure has no effect.
  const other = createPasswords({ atOnce: 2 })
  const stored = await other.hash('right')
  hash.mockRejectedValueOnce(new Error('out of memory'))
  expect(await other.matches(stored, 'right')).toBe(true)
  expect(await other.matches(null, 'right')).toBe(false)
})
