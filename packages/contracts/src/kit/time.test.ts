/** Times with and without a zone. */
import { expect, test } from 'vitest'
import { readTime } from './time.js'

test.each([
  ['2026-12-31T12:00', '2026-12-31T12:00:00.000Z'],
  [' 2026-12-31 12:00:30.5 ', '2026-12-31T12:00:30.500Z'],
  ['2026-12-31T12:00:00+02:00', '2026-12-31T10:00:00.000Z'],
  ['2026-12-31', '2026-12-31T00:00:00.000Z'],
])('%s is %s in every zone', (given, time) => {
  const zone = process.env.TZ
  try {
    process.env.TZ = 'America/New_York'
    expect(new Date(readTime(given)).toISOString()).toBe(time)
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})

test('a text that is no time gives NaN', () => {
  expect(readTime('tomorrow')).toBeNaN()
})
