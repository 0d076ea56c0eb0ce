/** Ids always increase, independent of changes of the clock. */
import { expect, test } from 'vitest'
import { createIds, idFloor, timeOfId } from './ids.js'

test('F077 I12 ids never decrease when the clock jumps an hour forward or back, or stops', () => {
  let now = Date.parse('2026-05-01T00:00:00Z')
  const ids = createIds({ now: () => now })
  const made: bigint[] = []
  const make = (count: number) => {
    for (let n = 0; n < count; n++) made.push(BigInt(ids.next()))
  }
  make(100)
  now += 3_600_000
  make(100)
  now -= 7_200_000
  make(100_000)
  now += 3_600_000
  make(100)
  expect(made.every((id, at) => at === 0 || id > (made[at - 1] as bigint))).toBe(true)
})

test('F077 ids use the clock again when it has reached the last id', () => {
  let now = 1_000_000_000_000
  const ids = createIds({ now: () => now })
  ids.next()
  now -= 5_000
  expect(timeOfId(ids.next())).toBe(1_000_000_000_000)
  now += 10_000
  expect(timeOfId(ids.next())).toBe(now)
  expect(BigInt(ids.at(now)) >= BigInt(idFloor(now))).toBe(true)
})

test('ids for the same past time differ, and are in the order of the calls', () => {
  const ids = createIds({ now: () => 1_000_000_000_000 })
  const all = Array.from({ length: 60_000 }, () => BigInt(ids.at(900_000_000_000)))
  expect(new Set(all).size).toBe(all.length)
  expect(all.every((id) => timeOfId(id.toString()) === 900_000_000_000)).toBe(true)
  // The sequence number starts again at most once.
  expect(all.filter((id, i) => i > 0 && id < (all[i - 1] as bigint)).length).toBeLessThanOrEqual(1)
})
