/** Scores of trends: surprise, decay, and order by language. */
import { describe, expect, test } from 'vitest'
import { adjacentOffsets, preferredLanguages, scoreStatus, scoreUsage, surprise } from './rules.js'

const HOUR = 3_600_000
const NOW = Date.parse('2026-03-04T12:00:00Z')

describe('surprise', () => {
  test.each([
    [4, 1, 5, 0],
    [5, 1, 5, 16],
    [5, 6, 5, 0],
    [10, 5, 5, 5],
    [14, 1, 15, 0],
    [15, 1, 15, 196],
  ])('%i accounts where %i are usual, at least %i: %d', (observed, expected, least, score) => {
    expect(surprise(observed, expected, least)).toBe(score)
  })
})

describe('scores of tags and links', () => {
  test('usual use has no score', () => {
    expect(scoreUsage('tag', { today: 4, yesterday: 0, top: null }, 5, NOW)).toBeNull()
    expect(scoreUsage('tag', { today: 9, yesterday: 9, top: null }, 5, NOW)).toBeNull()
  })
  test('a day without any use counts as one use', () => {
    expect(scoreUsage('tag', { today: 5, yesterday: 0, top: null }, 5, NOW)).toEqual({
      score: 16,
      top: { score: 16, at: NOW },
    })
  })
  test('the score of a tag halves every four hours, that of a link every eight', () => {
    const used = { today: 5, yesterday: 1, top: { score: 64, at: NOW - 8 * HOUR } }
    expect(scoreUsage('tag', used, 5, NOW)?.score).toBe(16)
    expect(scoreUsage('link', used, 15, NOW)?.score).toBe(32)
  })
  test('the highest score is kept for two days, so that uses of the same day do not raise the score again', () => {
    const used = { today: 9, yesterday: 1, top: { score: 64, at: NOW - 40 * HOUR } }
    expect(scoreUsage('tag', used, 5, NOW)).toEqual({ score: 0, top: used.top })
    expect(scoreUsage('tag', { ...used, top: { score: 64, at: NOW - 48 * HOUR } }, 5, NOW)?.score).toBe(64)
    expect(scoreUsage('tag', { today: 0, yesterday: 9, top: { score: 64, at: NOW - 48 * HOUR } }, 5, NOW)).toBeNull()
  })
  test('a higher score replaces the highest', () => {
    expect(scoreUsage('tag', { today: 11, yesterday: 1, top: { score: 64, at: NOW - HOUR } }, 5, NOW)).toEqual({
      score: 100,
      top: { score: 100, at: NOW },
    })
  })
})

test('the score of a status halves every hour, and is zero below 0.3', () => {
  expect(scoreStatus(4, NOW, NOW)).toBe(0)
  expect(scoreStatus(5, NOW, NOW)).toBe(16)
  expect(scoreStatus(5, NOW - 2 * HOUR, NOW)).toBe(4)
  expect(scoreStatus(5, NOW + HOUR, NOW)).toBe(16)
  expect(scoreStatus(5, NOW - 6 * HOUR, NOW)).toBe(0)
})

test('S-163 chosen languages have precedence over that of the request', () => {
  expect(preferredLanguages(['de', 'ja'], 'en')).toEqual(['de', 'ja'])
  expect(preferredLanguages(null, 'pt-BR')).toEqual(['pt-BR', 'pt'])
  expect(preferredLanguages([], 'fr')).toEqual(['fr'])
  expect(preferredLanguages(null, '')).toEqual([])
})

test('S-163 previous and next pages are computed by offset', () => {
  expect(adjacentOffsets({ limit: 10, offset: 0 }, 10)).toEqual({ next: 10, prev: null })
  expect(adjacentOffsets({ limit: 10, offset: 10 }, 3)).toEqual({ next: null, prev: null })
  expect(adjacentOffsets({ limit: 10, offset: 20 }, 10)).toEqual({ next: 30, prev: 10 })
  expect(adjacentOffsets({ limit: 0, offset: 5 }, 0)).toEqual({ next: null, prev: 5 })
})
