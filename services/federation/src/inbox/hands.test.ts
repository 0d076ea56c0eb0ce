/** A site with slow letters holds few hands, and everybody else as many as they like. */
import { expect, test } from 'vitest'
import { createHands } from './hands.js'

const slow = 'https://a.slow.example/users/a'
const neighbour = 'https://b.slow.example/users/b'
const quick = 'https://quick.example/users/c'

test('a site is bounded only while several of its letters need long', () => {
  const hands = createHands()
  const first = Array.from({ length: 25 }, () => hands.take(slow))
  expect(first).not.toContain(null)
  for (const hand of first.slice(0, 3)) hand?.linger()
  expect(hands.take(slow)).not.toBe(null)
  first[3]?.linger()
  expect(hands.take(slow)).toBe(null)
  expect(hands.take(neighbour)).toBe(null)
  expect(hands.take(quick)).not.toBe(null)
  first[3]?.end()
  expect(hands.take(neighbour)).not.toBe(null)
})

test('slow ones keep a share, and what is over counts no more', () => {
  const hands = createHands()
  const few = Array.from({ length: 4 }, () => hands.take(slow))
  for (const hand of few) hand?.linger()
  const more = Array.from({ length: 5 }, () => hands.take(neighbour))
  expect(more.map((hand) => hand === null)).toEqual([false, false, false, false, true])
  for (const hand of [...few, ...more]) {
    hand?.end()
    hand?.linger()
  }
  expect(Array.from({ length: 25 }, () => hands.take(slow))).not.toContain(null)
})

test('jobs that go on without a hand have as many places as there are', () => {
  const hands = createHands()
  const places = Array.from({ length: 41 }, () => hands.setAside())
  expect(places.indexOf(null)).toBe(40)
  places[0]?.()
  expect(hands.setAside()).not.toBe(null)
})
