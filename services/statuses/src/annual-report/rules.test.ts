/** Rules of annual reports: campaign, years, states and archetypes. */
import { campaignYear } from '@murmuration/contracts/statuses'
import { expect, test } from 'vitest'
import { archetypeOf, readYear, spanOf, stateOf } from './rules.js'

test('S-165 the campaign runs from the tenth to the last of December, while it is switched on', () => {
  const at = (text: string, enabled = true) => campaignYear(enabled, Date.parse(text))
  expect(at('2025-12-09T23:59:59.999Z')).toBeNull()
  expect(at('2025-12-10T00:00:00Z')).toBe(2025)
  expect(at('2025-12-31T23:59:59Z')).toBe(2025)
  expect(at('2026-01-01T00:00:00Z')).toBeNull()
  expect(at('2025-12-20T00:00:00Z', false)).toBeNull()
})

test('a year has four digits, and its span ends where the next year begins', () => {
  expect(['2025', '25', 'x', '99999', '-2025'].map(readYear)).toEqual([2025, null, null, null, null])
  expect(spanOf(2025)).toEqual({ from: Date.parse('2025-01-01'), to: Date.parse('2026-01-01') })
})

test.each([
  [{ statuses: 112, reblogs: 112, replies: 0, polls: 0 }, 'lurker'],
  [{ statuses: 200, reblogs: 150, replies: 0, polls: 0 }, 'booster'],
  [{ statuses: 200, reblogs: 20, replies: 20, polls: 20 }, 'pollster'],
  [{ statuses: 200, reblogs: 0, replies: 150, polls: 0 }, 'replier'],
  [{ statuses: 200, reblogs: 50, replies: 50, polls: 1 }, 'oracle'],
])('%j is a %s', (counts, archetype) => expect(archetypeOf(counts)).toBe(archetype))

test('S-165 a report that is not finished after an hour can be requested again', () => {
  const now = Date.parse('2025-12-20T12:00:00Z')
  const asked = (minutes: number) => ({ data: null, requested_at: new Date(now - minutes * 60_000) })
  const at = { year: 2025, campaign: 2025, wrote: true, now }
  expect(stateOf(null, at)).toBe('eligible')
  expect(stateOf(null, { ...at, wrote: false })).toBe('ineligible')
  expect(stateOf(null, { ...at, campaign: null })).toBe('ineligible')
  expect(stateOf(asked(59), at)).toBe('generating')
  expect(stateOf(asked(61), at)).toBe('eligible')
  expect(stateOf({ ...asked(999), data: {} }, { ...at, campaign: null })).toBe('available')
})
