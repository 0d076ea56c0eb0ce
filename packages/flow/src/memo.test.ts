/** Tests of memoized calls. */
import { expect, test } from 'vitest'
import { memoize } from './memo.js'

test('calls with the same key share one promise', async () => {
  const calls: string[] = []
  const read = memoize(
    async (name: string, _page: number) => calls.push(name),
    (name) => name,
  )
  expect(await Promise.all([read('a', 1), read('a', 2), read('b', 1)])).toEqual([1, 1, 2])
  expect(await read('a', 3)).toBe(1)
})
