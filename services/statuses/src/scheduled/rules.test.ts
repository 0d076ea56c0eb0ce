/** Times and limits of scheduled statuses. */
import { expect, test } from 'vitest'
import { checkScheduled, readSchedule } from './rules.js'

const now = Date.UTC(2026, 0, 1, 12)
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()

test('a time more than five minutes ahead is accepted, a past time means now, and one between is refused', () => {
  expect(readSchedule(at(6), now)?.toISOString()).toBe(at(6))
  expect(readSchedule(at(-1), now)).toBeNull()
  expect(() => readSchedule(at(5), now)).toThrow('Validation failed: Scheduled at date must be in the future')
  expect(() => readSchedule('tomorrow', now)).toThrow('Record invalid')
})

test('an account has a limited number of scheduled statuses, in all and per day', () => {
  expect(() => checkScheduled({ all: 299, thatDay: 24 })).not.toThrow()
  expect(() => checkScheduled({ all: 300, thatDay: 0 })).toThrow('You have exceeded the limit of 300 scheduled posts')
  expect(() => checkScheduled({ all: 25, thatDay: 25 })).toThrow('the limit of 25 scheduled posts for today')
})

test.each([
  ['2026-11-02T10:00:00Z', '2026-11-02T10:00:00.000Z'],
  ['2026-11-02T10:00:00+02:00', '2026-11-02T08:00:00.000Z'],
  ['2026-11-02T10:00:00', '2026-11-02T10:00:00.000Z'],
  ['2026-11-02 10:00', '2026-11-02T10:00:00.000Z'],
  [' 2026-11-02T10:00:00.5 ', '2026-11-02T10:00:00.500Z'],
  ['2026-11-02', '2026-11-02T00:00:00.000Z'],
  ['2026-11-02 6:00', '2026-11-02T06:00:00.000Z'],
  ['2026/11/02 18:00', '2026-11-02T18:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('%j is %s', (given, at) => {
  const { TZ } = process.env
  process.env.TZ = 'Asia/Kathmandu'
  expect(readSchedule(given, Date.UTC(2026, 10, 1))?.toISOString()).toBe(at)
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

test.each(['+010000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', 'tomorrow', ''])('%j is refused', (given) => {
  expect(() => readSchedule(given, Date.UTC(2026, 10, 1))).toThrow('Record invalid')
})

test.each(['0001-01-01T00:00:00Z', '-271821-04-20T00:00:00Z', '2026-10-31'])('%j is past', (given) => {
  expect(readSchedule(given, Date.UTC(2026, 10, 1))).toBeNull()
})
