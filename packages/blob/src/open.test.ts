/** A store that is loaded by its first use is loaded again after that failed. */
import { expect, test, vi } from 'vitest'
import { createBlobStore } from './open.js'
import { openS3Store } from './s3.js'

vi.mock('./s3.js', () => ({ openS3Store: vi.fn() }))

test('a store that could not be opened is opened by the next request', async () => {
  vi.mocked(openS3Store).mockImplementationOnce(() => {
    throw new Error('too many open files')
  })
  vi.mocked(openS3Store).mockReturnValueOnce({ head: async () => null } as never)
  const store = createBlobStore({ kind: 's3' } as never)
  await expect(store.head('media/a')).rejects.toThrow('too many open files')
  expect(await store.head('media/a')).toBe(null)
  expect(openS3Store).toHaveBeenCalledTimes(2)
})
