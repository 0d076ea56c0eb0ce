/** A store that is opened by its first use is opened again after a failure. */
import { expect, test, vi } from 'vitest'
import { lazily } from './open.js'

test('a store that could not be opened is opened by the next request', async () => {
  const open = vi.fn()
  open.mockRejectedValueOnce(new Error('too many open files'))
  open.mockResolvedValueOnce({ head: async () => null })
  const store = lazily(open, undefined)
  await expect(store.head('media/a')).rejects.toThrow('too many open files')
  expect(await store.head('media/a')).toBe(null)
  expect(open).toHaveBeenCalledTimes(2)
})
