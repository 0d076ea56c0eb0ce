/** Paths of keys on disk. */

import { expect, test } from 'vitest'
import { keyOfPath, pathOf } from './disk-path.js'

test.each(['staging/8c1f', 'media/3f/9c7a.jpg', 'media/a/b/c/d.webp', 'media/a_b-c'])(
  'the path of %s can be converted back',
  (key) => {
    const path = pathOf(key)
    expect(path).toMatch(/^[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{2}\/[^/]+$/)
    expect(keyOfPath(path)).toBe(key)
  },
)

test('other files have no key', () => {
  expect(keyOfPath(`${pathOf('media/x')}@type`)).toBeNull()
  expect(keyOfPath('media/ab/cd')).toBeNull()
})

test('keys are distributed over many folders', () => {
  const shards = new Set(Array.from({ length: 2_000 }, (_, i) => pathOf(`media/${i}`).slice(6, 11)))
  expect(shards.size).toBeGreaterThan(1_900)
})
