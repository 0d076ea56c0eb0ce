/** Paths of keys on disk. */

import { expect, test } from 'vitest'
import { keyOfPlace, placeOf } from './disk-path.js'

test.each(['staging/8c1f', 'media/3f/9c7a.jpg', 'media/a/b/c/d.webp', 'media/a_b-c'])(
  'the path of %s can be converted back',
  (key) => {
    const place = placeOf(key)
    expect(place).toMatch(/^[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{2}\/[^/]+$/)
    expect(keyOfPlace(place)).toBe(key)
  },
)

test('other files have no key', () => {
  expect(keyOfPlace(`${placeOf('media/x')}@type`)).toBeNull()
  expect(keyOfPlace('media/ab/cd')).toBeNull()
})

test('keys are distributed over many folders', () => {
  const shards = new Set(Array.from({ length: 2_000 }, (_, i) => placeOf(`media/${i}`).slice(6, 11)))
  expect(shards.size).toBeGreaterThan(1_900)
})
