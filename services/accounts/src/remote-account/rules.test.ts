/** Tests of when remote profiles are fetched again. */
import { expect, test } from 'vitest'
import { clampCount, isStale, refetchDelay, stricterRule } from './rules.js'

const HOUR = 3_600_000
const now = Date.parse('2026-05-01T12:00:00Z')
const read = (hoursAgo: number | null, rest: number | null = null, uri = 'https://far.example/users/ann') => ({
  uri,
  fetched_at: hoursAgo === null ? null : new Date(now - hoursAgo * HOUR),
  fetch_after: rest === null ? null : new Date(now + rest * HOUR),
})

test('a profile is stale after a day, or a week in the background, and not before its next allowed fetch', () => {
  expect(isStale(read(23), now)).toBe(false)
  expect(isStale(read(24), now)).toBe(true)
  expect(isStale(read(24), now, 'week')).toBe(false)
  expect(isStale(read(7 * 24 - 1), now, 'week')).toBe(false)
  expect(isStale(read(7 * 24 + 6), now, 'week')).toBe(true)
  expect(isStale(read(null), now)).toBe(true)
  expect(isStale(read(null, 1), now)).toBe(false)
  expect(isStale(read(48, -1), now)).toBe(true)
})

test('profiles that were fetched together become stale spread over six hours', () => {
  const uris = Array.from({ length: 1_200 }, (_, i) => `https://far.example/users/person${i}`)
  const stale = (hours: number) => uris.filter((uri) => isStale(read(hours, null, uri), now, 'week')).length
  const each = [1, 2, 3, 4, 5, 6].map((hour) => stale(7 * 24 + hour) - stale(7 * 24 + hour - 1))
  expect(each.reduce((sum, one) => sum + one, 0)).toBe(uris.length)
  expect(Math.max(...each)).toBeLessThan(260)
  expect(Math.min(...each)).toBeGreaterThan(140)
})

test('the pause after failed fetches begins with an hour and doubles up to a week', () => {
  expect([1, 2, 3, 8].map((n) => refetchDelay(n) / HOUR)).toEqual([1, 2, 4, 128])
  for (const many of [9, 1_000, Number.MAX_SAFE_INTEGER]) expect(refetchDelay(many) / HOUR).toBe(168)
})

test('counts of remote servers are limited to the range of the column', () => {
  expect([null, -5, 1.7, 1e12].map(clampCount)).toEqual([null, 0, 1, 2_147_483_647])
})

test('moderation 1 of the rules for two domains of a server the stricter one applies', () => {
  const rule = (severity: 'noop' | 'silence' | 'suspend') => ({ domain: `${severity}.example`, severity })
  const [noop, silence, suspend] = [rule('noop'), rule('silence'), rule('suspend')]
  expect([stricterRule(null, null), stricterRule(noop, null), stricterRule(null, silence)]).toEqual([
    null,
    noop,
    silence,
  ])
  expect([stricterRule(noop, silence), stricterRule(suspend, silence)]).toEqual([silence, suspend])
})
