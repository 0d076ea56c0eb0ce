// Cases for escaping: the result is harmless between tags and in attributes.
import { describe, expect, test } from 'vitest'
import { cleanText, escapeAttribute, escapeHtml, escapeText } from './escape.js'

test.each([
  ['', '', '', ''],
  ['plain', 'plain', 'plain', 'plain'],
  [
    `<a b="c" d='e'>&`,
    '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;',
    `&lt;a b="c" d='e'&gt;&amp;`,
    `&lt;a b=&quot;c&quot; d='e'&gt;&amp;`,
  ],
  ['&amp;', '&amp;amp;', '&amp;amp;', '&amp;amp;'],
])('escapes %j for anywhere, for text and for attributes', (text, anywhere, between, attribute) => {
  expect([escapeHtml(text), escapeText(text), escapeAttribute(text)]).toEqual([anywhere, between, attribute])
})

test('A150 hostile names, warnings and options are escaped', () => {
  expect(escapeHtml('"><img src=x onerror=1>')).toBe('&quot;&gt;&lt;img src=x onerror=1&gt;')
})

describe('cleanText', () => {
  test.each([
    ['a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['a\0b', 'ab'],
    ['a\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['😀', '😀'],
  ])('cleans %j', (text, cleaned) => expect(cleanText(text)).toBe(cleaned))
})
