/** The check of texts that are read as times. */
import { expect, test } from 'vitest'
import { localTimes, timeRules } from './times.js'

const count = (text: string, path = 'services/statuses/src/filter/rules.ts') => localTimes({ path, text }).length

test.each([
  'Date.parse(at)',
  'Date.parse(`2026-01-01T00:00`)',
  'new Date(given)',
  'new Date(`2026-01-01T00:00`)',
  'new Date(typed.trim())',
  'new Date(edited_at)',
  'new Date(time)',
  'new Date(input.before)',
  'new Date(row.expires_at)',
  'new Date(since)',
  'new Date(String(value))',
  'new Date(2026, 0, 2)',
])('%s is a problem', (text) => {
  expect(count(`const at = ${text}\n`)).toBe(1)
  expect(count(text, 'packages/text/src/read-time.ts')).toBe(0)
})

test.each([
  'readTime(at)',
  'Date.parse(`2026-01-01T00:00:00Z`)',
  'new Date(now)',
  'new Date(readTime(given))',
  'new Date(row.created_at.getTime() - REPEAT_MS)',
  'new Date(Math.min(readTime(claimed), ctx.clock.now()))',
  'new Date(seconds * 1_000)',
  'new Date(`2026-01-01T00:00:00Z`)',
  'new Date(Number(page.before))',
  'new Date(e.at)',
  'new Date(pausedUntil)',
  'new Date(0)',
  'new Date()',
])('%s is no problem', (text) => {
  expect(count(text)).toBe(0)
})

test('no source file reads a text in the zone of the machine', () => {
  expect(timeRules()).toEqual([])
})
