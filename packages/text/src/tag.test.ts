// Cases for hashtag names.
import { describe, expect, test } from 'vitest'
import { isValidTag, normaliseTag } from './tag.js'

describe('normaliseTag', () => {
  test.each([
    ['Fediverse', 'fediverse'],
    ['foo_Bar2', 'foo_bar2'],
    ['Café', 'cafe'],
    ['cafe\u0301', 'cafe'],
    ['Việt_Nam', 'viet_nam'],
    ['Łódź', 'lodz'],
    ['smørrebrød', 'smorrebrod'],
    ['İstanbul', 'istanbul'],
    ['ﬁne', 'fine'],
    ['ＡＢＣ', 'abc'],
    ['ｱﾆﾒ', 'アニメ'],
    ['日本語', '日本語'],
    ['Ёлка', 'ёлка'],
    ['й', 'й'],
    ['हिन्दी', 'हिन्दी'],
    ['ไทย', 'ไทย'],
    ['l·l', 'l·l'],
    ['ゲーム・音楽', 'ゲーム・音楽'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['foo-bar!', 'foobar'],
    ['#foo', 'foo'],
    ['straße', 'straße'],
    ['123', ''],
    ['___', ''],
    ['', ''],
    ['😀', ''],
    ['\ud800a', 'a'],
    ['うちの子\ufe0f', 'うちの子'],
    ['1\ufe0f\u20e3a', '1a'],
  ])('%j is %j', (name, normal) => expect(normaliseTag(name)).toBe(normal))

  test('normalising is idempotent for every letter and for decomposed pairs', () => {
    const names: string[] = []
    for (let code = 0x80; code < 0x20000; code++)
      if (code < 0xd800 || code > 0xdfff) names.push(String.fromCodePoint(code))
    const all = [
      ...names,
      ...names.slice(0, 0x600).flatMap((letter) => [`a${letter}\u0301`, `x-${letter}b`, `и.${letter}\u0306`]),
    ]
    const unstable = all.filter((name) => normaliseTag(normaliseTag(name)) !== normaliseTag(name))
    expect(unstable).toEqual([])
  })
})

test.each([
  ['foo', true],
  ['123a', true],
  ['a・b', true],
  ['日本語', true],
  ['123', false],
  ['_', false],
  ['', false],
  ['a・', false],
  ['・a', false],
  ['a b', false],
  ['a-b', false],
  ['#a', false],
  ['a'.repeat(500), true],
  ['a'.repeat(501), false],
])('S-119 %j can be a tag: %j', (name, valid) => expect(isValidTag(name)).toBe(valid))
