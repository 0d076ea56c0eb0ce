/** Tests of the start of a day in a time zone. */
import { expect, test } from 'vitest'
import { startOfDayIn } from './day.rules.js'

const start = (zone: string | null, day: string): string =>
  new Date(startOfDayIn(zone)(Date.parse(`${day}T00:00:00Z`))).toISOString()

test.each([
  [null, '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['Etc/UTC', '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['Middle/Earth', '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['Europe/Berlin', '2026-03-01', '2026-02-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-07-01', '2026-06-30T22:00:00.000Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  ['Asia/Kolkata', '2026-03-01', '2026-02-28T18:30:00.000Z'],
  ['Pacific/Kiritimati', '2026-03-01', '2026-02-28T10:00:00.000Z'],
])('in the time zone %s, %s starts at %s', (zone, day, at) => {
  expect(start(zone, day)).toBe(at)
})

test('a day whose clocks change at midnight starts after the change', () => {
  expect(start('America/Santiago', '2024-04-07')).toBe('2024-04-07T04:00:00.000Z')
  expect(start('America/Santiago', '2024-09-08')).toBe('2024-09-08T04:00:00.000Z')
})

test.each([
  ['Asia/Amman', '2021-10-29', '2021-10-28T21:00:00.000Z'],
  ['Asia/Gaza', '2021-10-29', '2021-10-28T21:00:00.000Z'],
  ['Antarctica/Casey', '2023-03-09', '2023-03-08T13:00:00.000Z'],
  ['Atlantic/Azores', '2024-10-27', '2024-10-27T00:00:00.000Z'],
  ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z'],
])('in the time zone %s, %s has two midnights, and starts at the first one', (zone, day, at) => {
  expect(start(zone, day)).toBe(at)
})

test('the first years have a start', () => {
  expect(Number.isFinite(Date.parse(start('Europe/Berlin', '0001-01-01')))).toBe(true)
})
