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
