/** Worker slots limit a site with slow activities, and no other site. */
import { expect, test } from 'vitest'
import { createWorkerSlots } from './worker-slots.js'

const slow = 'https://a.slow.example/users/a'
const neighbour = 'https://b.slow.example/users/b'
const quick = 'https://quick.example/users/c'

test('a site is bounded only while several of its activities are slow', () => {
  const slots = createWorkerSlots()
  const first = Array.from({ length: 25 }, () => slots.take(slow))
  expect(first).not.toContain(null)
  for (const slot of first.slice(0, 3)) slot?.markSlow()
  expect(slots.take(slow)).not.toBe(null)
  first[3]?.markSlow()
  expect(slots.take(slow)).toBe(null)
  expect(slots.take(neighbour)).toBe(null)
  expect(slots.take(quick)).not.toBe(null)
  first[3]?.release()
  expect(slots.take(neighbour)).not.toBe(null)
})

test('slow activities keep a share, and a released slot is not counted', () => {
  const slots = createWorkerSlots()
  const few = Array.from({ length: 4 }, () => slots.take(slow))
  for (const slot of few) slot?.markSlow()
  const more = Array.from({ length: 5 }, () => slots.take(neighbour))
  expect(more.map((slot) => slot === null)).toEqual([false, false, false, false, true])
  for (const slot of [...few, ...more]) {
    slot?.release()
    slot?.markSlow()
  }
  expect(Array.from({ length: 25 }, () => slots.take(slow))).not.toContain(null)
})

test('the number of slow jobs without a bus slot is bounded', () => {
  const slots = createWorkerSlots()
  const places = Array.from({ length: 41 }, () => slots.takeOverflow())
  expect(places.indexOf(null)).toBe(40)
  places[0]?.()
  expect(slots.takeOverflow()).not.toBe(null)
})
