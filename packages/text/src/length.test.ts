// Cases for lengths: graphemes, links and mentions.
import { describe, expect, test } from 'vitest'
import { graphemeLength, statusLength } from './length.js'

test.each([
  ['', 0],
  ['hello', 5],
  ['a\r\nb\n', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['👩‍👩‍👧‍👦', 1],
  ['🇩🇪🇫🇷', 2],
  ['👋🏽', 1],
  ['日本語', 3],
  ['हिन्दी', 2],
  ['\ud800', 1],
  ['각', 1],
])('%j has %i graphemes', (text, length) => expect(graphemeLength(text)).toBe(length))

describe('statusLength', () => {
  test.each([
    ['', '', 0],
    ['abc', 'de', 5],
    ['https://example.com/a/very/long/path/that/goes/on', '', 23],
    ['http://a.b', '', 23],
    ['a https://example.com b', 'https://example.com', 50],
    ['example.com', '', 11],
    ['@alice', '', 6],
    ['@alice@far.example', '', 6],
    ['hi @alice@far.example and @bob', '', 18],
    ['#tag :smile:', '', 12],
    ['xmpp:a@b.example', '', 16],
    ['👩‍👩‍👧‍👦 https://a.example/x', '', 25],
  ])('of %j with warning %j is %i', (text, spoiler, length) => expect(statusLength(text, spoiler)).toBe(length))

  test.each([
    ['a link of any length', `${'a'.repeat(476)} http://${'b'.repeat(30)}.com/example`, 500],
    ['what is no link because a letter precedes it', `${'a'.repeat(476)}http://${'b'.repeat(30)}.com/example`, 525],
    ['a link with an impossible host', `http://${'b'.repeat(250)}.com/example`, 269],
    ['the front part of a handle', `${'a'.repeat(475)} @alice@${'b'.repeat(30)}.com`, 482],
    ['all of what is no handle', `@alice@${'b'.repeat(500)}.com`, 511],
  ])('counts %s', (_, text, length) => expect(statusLength(text, '')).toBe(length))
})

describe('a cluster of many combining marks', () => {
  test.each([
    ['a family with skin tones', '👨🏻‍👩🏻‍👧🏻‍👦🏻', 1],
    ['a letter with 31 marks', `a${'\u20d0'.repeat(31)}`, 1],
    ['a letter with 32 marks', `a${'\u20d0'.repeat(32)}`, 2],
    ['a letter with 9,999 marks', `a${'\u20d0'.repeat(9_999)}`, 313],
  ])('%s counts by its size', (_, text, length) => {
    expect([graphemeLength(text), statusLength('', text)]).toEqual([length, length])
  })
})
