// Cases for keyword filters.
import { describe, expect, test } from 'vitest'
import { compileFilters, type FilterKeyword } from './filter.js'

const keyword = (text: string, wholeWord = false, id = text): FilterKeyword => ({ id, keyword: text, wholeWord })
const whole = (text: string) => keyword(text, true)
const first = (keywords: FilterKeyword[]) => (text: string) => compileFilters([keywords])(text)[0]
const matched = (keywords: FilterKeyword[], text: string) => first(keywords)(text)?.keyword ?? null

describe('one keyword', () => {
  test.each([
    [whole('cat'), 'a Cat!', 'Cat'],
    [whole('cat'), 'concatenate', null],
    [whole('cat'), 'cats cat', 'cat'],
    [whole('cat'), 'cat_', null],
    [whole('cat'), '#cat', 'cat'],
    [whole('cat'), '(cat)', 'cat'],
    [keyword('cat'), 'conCATenate', 'CAT'],
    [whole('c++'), 'I know C++11', 'C++'],
    [whole('c++'), 'abc++', null],
    [whole('#tag'), 'x#tag', '#tag'],
    [whole('#tag'), '#tags', null],
    [whole('@bob@far.example'), 'hi @bob@far.example!', '@bob@far.example'],
    [whole('über'), 'ÜBER alles', 'ÜBER'],
    [whole('über'), 'darüber', null],
    [whole('привет'), 'ПРИВЕТ!', 'ПРИВЕТ'],
    [whole('ΟΔΟΣ'), 'οδος', 'οδος'],
    [keyword('日本'), '日本語', '日本'],
    [whole('日本'), '日本語', null],
    [keyword('istanbul'), 'İSTANBUL', 'İSTANBUL'],
    [keyword('😀'), 'a😀b', '😀'],
    [whole('two words'), 'Two Words.', 'Two Words'],
    [keyword('a.c'), 'abc', null],
    [keyword('.*'), 'abc .* d', '.*'],
    [keyword('[a-z]+('), '[A-Z]+(', '[A-Z]+('],
    [keyword('\\b'), 'a b', null],
    [keyword('  x  '), 'axb', 'x'],
    [keyword(''), 'anything', null],
    [keyword('   '), 'any thing', null],
    [whole('x'), '', null],
  ])('%j in %j', (filter, text, expected) => expect(matched([filter], text)).toBe(expected))
})

describe('several keywords', () => {
  test('the leftmost match is reported, with the id of its keyword', () => {
    const find = first([keyword('dog', true, '1'), keyword('cat', true, '2')])
    expect(find('a Cat and a dog')).toEqual({ id: '2', keyword: 'Cat' })
    expect(find('a dog')).toEqual({ id: '1', keyword: 'dog' })
    expect(find('a fish')).toBeNull()
  })

  test('the earlier keyword is reported when two matches start at one offset', () => {
    expect(first([keyword('ab', false, 'first'), keyword('abc', false, 'second')])('xabc')).toEqual({
      id: 'first',
      keyword: 'ab',
    })
    expect(first([keyword('abc', false, 'first'), keyword('ab', false, 'second')])('xabc')).toEqual({
      id: 'first',
      keyword: 'abc',
    })
    expect(first([keyword('abd', false, 'first'), keyword('ab', false, 'second')])('xabc')).toEqual({
      id: 'second',
      keyword: 'ab',
    })
  })

  test('a keyword within another one is found', () => {
    expect(matched([keyword('abcd'), keyword('bc')], 'xabce')).toBe('bc')
    expect(matched([whole('big red dog'), whole('red')], 'a big red cat')).toBe('red')
    expect(matched([whole('xa'), whole('a')], 'a xxa')).toBe('a')
  })

  test('without keywords nothing is found', () => expect(first([])('text')).toBeNull())

  test('the matches equal those of a simple search, for random keywords and texts', () => {
    let seed = 3
    const next = (max: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * max)
    }
    const word = (max: number) => Array.from({ length: 1 + next(max) }, () => 'aAb .'[next(5)]).join('')
    for (let round = 0; round < 3000; round++) {
      const keywords = Array.from({ length: 1 + next(5) }, (_, id) => keyword(word(4), next(2) === 1, String(id)))
      const text = word(20)
      expect(first(keywords)(text), JSON.stringify([keywords, text])).toEqual(plainSearch(keywords, text))
    }
  })
})

/** The reference search: every keyword at every offset. */
function plainSearch(keywords: FilterKeyword[], text: string) {
  const isWord = (char: string | undefined) => /\w/.test(char ?? '')
  for (let start = 0; start < text.length; start++) {
    for (const { id, keyword: raw, wholeWord } of keywords) {
      const wanted = raw.trim()
      const end = start + wanted.length
      if (wanted === '' || text.slice(start, end).toLowerCase() !== wanted.toLowerCase()) continue
      const inside = (at: number) => isWord(text[at - 1]) && isWord(text[at])
      if (!wholeWord || (!inside(start) && !inside(end))) return { id, keyword: text.slice(start, end) }
    }
  }
  return null
}

test('one reading reports matches per filter, also for filters that share a phrase', () => {
  const find = compileFilters([
    [keyword('cat', true, '1'), keyword('dog', true, '2')],
    [keyword('dog', true, '3')],
    [],
    [keyword('og', false, '4'), keyword('do', true, '5')],
  ])
  expect(find('Dog and cat')).toEqual([
    { id: '2', keyword: 'Dog' },
    { id: '3', keyword: 'Dog' },
    null,
    { id: '4', keyword: 'og' },
  ])
  expect(find('nothing')).toEqual([null, null, null, null])
})

test('S-018 hostile keywords cost no more than their length: nested phrases in a long text', () => {
  const nested = Array.from({ length: 300 }, (_, n) => keyword('a'.repeat(n + 1), n % 2 === 0, String(n)))
  const find = compileFilters(nested.map((one) => [one]))
  const started = process.threadCpuUsage()
  expect(find('a'.repeat(5_000)).filter((one) => one !== null).length).toBe(150)
  expect(process.threadCpuUsage(started).user).toBeLessThan(2_000_000)
})

test('case folding never shifts offsets', () => {
  for (let code = 0; code < 0x20000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const char = String.fromCodePoint(code)
    if (matched([keyword('needle')], `${char}Needle`) !== 'Needle') throw new Error(`shifted by U+${code.toString(16)}`)
  }
})
