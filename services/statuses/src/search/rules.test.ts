/** Search queries: what they say, what they are refused for, and that nobody can make them expensive. */
import { indexTerms } from '@murmuration/text'
import { describe, expect, test } from 'vitest'
import { asksForStatuses, MAX_TERMS, searchQuery } from './rules.js'

const searchWords = (text: string): string => indexTerms(text).join(' ')
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

describe('words', () => {
  test('are lower case without marks, whatever the script', () => {
    expect(searchWords('Café, STRASSE & ﬁsh!')).toBe('cafe strasse fish')
    expect(searchWords('東京都に行く').split(' ').length).toBeGreaterThan(1)
    expect(searchWords('สวัสดีชาวโลก').split(' ').length).toBeGreaterThan(1)
    expect(searchWords('… !! 🙂')).toBe('')
  })

  test('are the same the second time', () => {
    for (const text of ['Ünïcode Ⅷ', 'don’t stop', 'foo_bar x@y.example'])
      expect(searchWords(searchWords(text))).toBe(searchWords(text))
  })
})

describe('terms', () => {
  test('words, phrases, and what must not be there', () => {
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

  test('S-132 from: takes a leading at sign and a domain, and the viewer', () => {
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

  test('S-193 from: that can name nobody is not found', () => {
    expect(() => searchQuery('from:!!!')).toThrow(expect.objectContaining({ status: 404 }))
  })

  test('properties, languages, tags and places', () => {
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

  test('days: before, after and during leave out or take the whole day', () => {
    const spans = (q: string) => searchQuery(q).spans
    const next = day('2026-03-02')
    expect(spans('before:2026-03-01')).toEqual([{ from: 0, to: day('2026-03-01'), not: false }])
    expect(spans('after:2026-03-01')).toEqual([{ from: next, to: Number.POSITIVE_INFINITY, not: false }])
    expect(spans('-during:"2026-03-01"')).toEqual([{ from: day('2026-03-01'), to: next, not: true }])
    for (const q of ['before:', 'after:yesterday', 'during:2026-02-30', 'before:2026-1-1', 'after:99999-01-01'])
      expect(() => searchQuery(q)).toThrow(expect.objectContaining({ status: 422, message: 'Invalid date supplied' }))
  })

  test('what only looks like an operator is words', () => {
    expect(searchQuery('http://x.example re: "from:alice"').phrases.map((one) => one.words)).toEqual([
      'http x example',
      're',
      'from alice',
    ])
    expect(asksForStatuses(searchQuery('!! … -'))).toBe(false)
    expect(asksForStatuses(searchQuery('in:library'))).toBe(true)
  })
})

describe('hostile queries', () => {
  test('A141 length and number of terms are bounded', () => {
    expect(searchQuery('word '.repeat(500)).phrases).toHaveLength(MAX_TERMS)
    expect(searchQuery(`${'x'.repeat(5_000)} end`).phrases.map((one) => one.words.length)).toEqual([1_000])
    expect(searchQuery('ﷺ'.repeat(1_000)).phrases[0]?.words.split(' ').length).toBeLessThanOrEqual(30)
    expect(searchQuery(`has:${'x'.repeat(900)}`).marks[0]?.mark.length).toBeLessThan(510)
    expect(searchQuery("has:a'b\\c&!").marks).toEqual([{ mark: '=is:abc', not: false }])
  })

  test('A132 A141 ten thousand of them are read at once or refused', () => {
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
    // The dictionaries are read once.
    expect(times.toSorted((a, b) => b - a)[10]).toBeLessThan(100)
    const start = process.threadCpuUsage()
    for (const part of ['"', '-', '@a.', '#', 'from', '-"', ' "']) searchQuery(part.repeat(100_000))
    expect(process.threadCpuUsage(start).user / 1_000).toBeLessThan(700)
  })
})
