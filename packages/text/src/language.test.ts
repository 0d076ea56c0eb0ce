// Cases for supported languages, and for the choice among several.
import { expect, test } from 'vitest'
import { languages, pickLanguage, supportedLanguage } from './language.js'
import { LANGUAGES } from './language-table.js'

test('S-087 214 languages, each with an English name', () => {
  expect(languages).toHaveLength(214)
  expect(new Set(languages.map(({ code }) => code)).size).toBe(214)
  expect(
    languages.filter(
      ({ code, name }) => !/^[a-z]{2,3}(-[A-Za-z]+)?$/.test(code) || name.trim() === '' || name === code,
    ),
  ).toEqual([])
  expect([LANGUAGES.de, LANGUAGES['zh-TW'], LANGUAGES.tok, LANGUAGES.ldn]).toEqual([
    'German',
    'Chinese (Taiwan)',
    'Toki Pona',
    'Láadan',
  ])
})

test.each([
  ['de', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['en_GB', 'en'],
  ['zh-TW', 'zh-TW'],
  ['ZH-tw', 'zh-TW'],
  ['zh-Hant-TW', 'zh'],
  ['mn-Mong-CN', 'mn-Mong'],
  [' fr ', 'fr'],
  ['tlh', null],
  ['', null],
  ['-', null],
  ['constructor', null],
  ['en'.repeat(50), null],
])('%j means %j', (code, supported) => expect(supportedLanguage(code)).toBe(supported))

test('the first supported language is used', () => {
  expect(pickLanguage('tlh', null, undefined, '', 'pt-BR', 'de')).toBe('pt')
  expect(pickLanguage('tlh')).toBeNull()
  expect(pickLanguage()).toBeNull()
})
