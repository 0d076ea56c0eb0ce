/** A store that is loaded by its first use is loaded again after that failed. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { createBlobStore as create } from './open.js'

const openS3Store = vi.fn()
let createBlobStore: typeof create
beforeAll(async () => {
  // Test files share loaded modules, so the module is loaded once more with the replacement.
  vi.resetModules()
  vi.doMock('./s3.js', () => ({ openS3Store }))
  ;({ createBlobStore } = await import('./open.js'))
})
afterAll(() => {
  vi.doUnmock('./s3.js')
  vi.resetModules()
})

test('a store that could not be opened is opened by the next request', async () => {
  openS3Store.mockImplementationOnce(() => {
    throw new Error('too many open files')
  })
  openS3Store.mockReturnValueOnce({ head: async () => null } as never)
  const store = createBlobStore({ kind: 's3' } as never)
  await expect(store.head('media/a')).rejects.toThrow('too many open files')
  expect(await store.head('media/a')).toBe(null)
  expect(openS3Store).toHaveBeenCalledTimes(2)
})
