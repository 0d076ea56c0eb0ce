/** Search queries: terms, operators, errors, and bounded cost. */
import { indexTerms } from '@murmuration/text'
import { describe, expect, test } from 'vitest'
import { hasCondition, MAX_TERMS, searchQuery } from './rules.js'

const searchWords = (text: string): string => indexTerms(text).join(' ')
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

describe('normalised words', () => {
  test('words are in lower case without diacritics, in any script', () => {
    expect(searchWords('Café, STRASSE & ﬁsh!')).toBe('cafe strasse fish')
    expect(searchWords('東京都に行く').split(' ').length).toBeGreaterThan(1)
    expect(searchWords('สวัสดีชาวโลก').split(' ').length).toBeGreaterThan(1)
    expect(searchWords('… !! 🙂')).toBe('')
  })

  test('normalising words twice gives the same words', () => {
    for (const text of ['Ünïcode Ⅷ', 'don’t stop', 'foo_bar x@y.example'])
      expect(searchWords(searchWords(text))).toBe(searchWords(text))
  })
})

describe('queries', () => {
  test('a query has words, phrases and excluded terms', () => {
    const query = searchQuery('Good "Quite  Nice" -bad +needed -"very bad"')
    expect(query.phrases).toEqual([
      { words: 'good', not: false },
      { words: 'quite nice', not: false },
      { words: 'bad', not: true },
      { words: 'needed', not: false },
      { words: 'very bad', not: true },
    ])
    expect(query.scope).toBe('all')
  })

  test('a quote within a word does not begin a phrase', () => {
    const words = (q: string) => searchQuery(q).phrases.map((one) => one.words)
    expect(words('ארה"ב בחירות')).toEqual(['ארה ב', 'בחירות'])
    expect(words('צה"ל ד"ר -"very bad"')).toEqual(['צה ל', 'ד ר', 'very bad'])
    expect(words('5" disk')).toEqual(['5', 'disk'])
    expect(words('note:"a b"')).toEqual(['note a', 'b'])
    expect(searchQuery('-has:"media " disk')).toMatchObject({
      marks: [{ mark: '=is:media', not: true }],
      phrases: [{ words: 'disk', not: false }],
    })
  })

  test('S-132 from: accepts a leading at sign, a domain, and `me`', () => {
    const named = (q: string) => searchQuery(q).from[0]
    expect(named('from:alice')).toEqual({ named: { username: 'alice', domain: null }, not: false })
    expect(named('from:@alice')).toEqual(named('from:alice'))
    expect(named('From:@alice@Far.example')?.named).toEqual({ username: 'alice', domain: 'far.example' })
    expect(named('from:alice@far.example')).toEqual(named('from:@alice@far.example'))
    expect(named('-from:me')).toEqual({ named: 'me', not: true })
    expect(named('from:@me')?.named).toEqual({ username: 'me', domain: null })
  })

  test.each(['from:', 'from:@', 'from:"alice"', 'from:a@b@c', 'from:@@alice', '-from:', 'from:"a b"'])(
    'S-192 %s is not supported',
    (q) => {
      expect(() => searchQuery(`hello ${q}`)).toThrow(
        expect.objectContaining({ status: 422, message: 'Unprocessable Content' }),
      )
    },
  )

  test('S-193 from: with an invalid name is not found', () => {
    expect(() => searchQuery('from:!!!')).toThrow(expect.objectContaining({ status: 404 }))
  })

  test('properties, languages, hashtags and scopes are parsed', () => {
    const query = searchQuery('has:media -is:Reply language:EN #Café in:library has:embed')
    expect(query.marks).toEqual([
      { mark: '=is:media', not: false },
      { mark: '=is:reply', not: true },
      { mark: '=lang:en', not: false },
      { mark: '=tag:cafe', not: false },
    ])
    expect(query).toMatchObject({ scope: 'library', embeds: [true], phrases: [] })
    for (const q of ['in:', 'in:everywhere', '-in:library'])
      expect(() => searchQuery(q)).toThrow(expect.objectContaining({ status: 422 }))
  })

  test('before, after and during exclude or include the whole day', () => {
    const spans = (q: string) => searchQuery(q).spans
    const next = day('2026-03-02')
    expect(spans('before:2026-03-01')).toEqual([{ from: 0, to: day('2026-03-01'), not: false }])
    expect(spans('after:2026-03-01')).toEqual([{ from: next, to: Number.POSITIVE_INFINITY, not: false }])
    expect(spans('-during:"2026-03-01"')).toEqual([{ from: day('2026-03-01'), to: next, not: true }])
    for (const q of ['before:', 'after:yesterday', 'during:2026-02-30', 'before:2026-1-1', 'after:99999-01-01'])
      expect(() => searchQuery(q)).toThrow(expect.objectContaining({ status: 422, message: 'Invalid date supplied' }))
  })

  test('days are days of the given time zone', () => {
    const hours = (at: number) => at * 3_600_000
    const start = day('2026-03-01') - hours(9)
    const end = start + hours(24)
    const spans = (q: string) => searchQuery(q, 'Asia/Tokyo').spans
    expect(spans('before:2026-03-01')).toEqual([{ from: 0, to: start, not: false }])
    expect(spans('after:2026-03-01')).toEqual([{ from: end, to: Number.POSITIVE_INFINITY, not: false }])
    expect(spans('during:2026-03-01')).toEqual([{ from: start, to: end, not: false }])
    expect(searchQuery('during:2026-03-29', 'Europe/Berlin').spans).toEqual([
      { from: day('2026-03-29') - hours(1), to: day('2026-03-30') - hours(2), not: false },
    ])
  })

  test('text that only resembles an operator is parsed as words', () => {
    expect(searchQuery('http://x.example re: "from:alice"').phrases.map((one) => one.words)).toEqual([
      'http x example',
      're',
      'from alice',
    ])
    expect(hasCondition(searchQuery('!! … -'))).toBe(false)
    expect(hasCondition(searchQuery('in:library'))).toBe(true)
  })
})

describe('hostile queries', () => {
  test('A141 length and number of terms are limited', () => {
    expect(searchQuery('word '.repeat(500)).phrases).toHaveLength(MAX_TERMS)
    expect(searchQuery(`${'x'.repeat(5_000)} end`).phrases.map((one) => one.words.length)).toEqual([1_000])
    expect(searchQuery('ﷺ'.repeat(1_000)).phrases[0]?.words.split(' ').length).toBeLessThanOrEqual(30)
    expect(searchQuery(`has:${'x'.repeat(900)}`).marks[0]?.mark.length).toBeLessThan(510)
    expect(searchQuery("has:a'b\\c&!").marks).toEqual([{ mark: '=is:abc', not: false }])
  })

  test('A132 A141 ten thousand random queries are parsed quickly or refused', () => {
    const parts = [
      '"',
      '-',
      '+',
      'from:',
      'has:',
      ':',
      '(',
      ')',
      'a',
      ' ',
      '@',
      '#',
      '\\',
      "'",
      '&',
      '|',
      '!',
      '日',
      '\ud800',
    ]
    let seed = 7
    const pick = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return parts[seed % parts.length] ?? ''
    }
    const times = Array.from({ length: 10_000 }, (_, i) => {
      const q = Array.from({ length: 5 + (i % 60) }, pick).join('')
      const start = process.threadCpuUsage()
      try {
        expect(searchQuery(q).phrases.length).toBeLessThanOrEqual(MAX_TERMS)
      } catch (error) {
        expect([404, 422]).toContain((error as { status?: number }).status)
      }
      return process.threadCpuUsage(start).user / 1_000
    })
    // The slowest runs are ignored, because the first one loads the dictionaries.
    expect(times.toSorted((a, b) => b - a)[10]).toBeLessThan(300)
    const start = process.threadCpuUsage()
    for (const part of ['"', '-', '@a.', '#', 'from', '-"', ' "']) searchQuery(part.repeat(100_000))
    expect(process.threadCpuUsage(start).user / 1_000).toBeLessThan(2_000)
  })
})
