/** The language of a caller: `lang`, the account, `Accept-Language`. */
import { expect, test } from 'vitest'
import { acceptedLanguage } from './accepted-language.js'
import { createPreferredLanguage } from './preferred-language.js'

const known = (locale: string | null | undefined) =>
  ['en', 'de', 'pl'].find((code) => (locale ?? '').toLowerCase().split('-', 1)[0] === code) ?? null
const preferred = createPreferredLanguage(known)

test.each([
  ['de', 'pl', 'en', 'de'],
  ['xx', 'pl', 'de', 'pl'],
  [null, '', 'de', 'de'],
  [null, 'fr', 'de', 'de'],
  [undefined, 'en', 'de', 'en'],
  [null, null, undefined, 'en'],
  ['', '', 'fr', 'en'],
])('lang %j, account %j and header %j give %s', (lang, locale, accepted, language) => {
  expect(preferred({ lang, locale, accepted })).toBe(language)
})

test.each([
  ['de', 'de'],
  ['fr, de;q=0.8, en;q=0.9', 'en'],
  ['de;q=0, en', 'en'],
  ['de;q=0', null],
  ['de-CH , en', 'de'],
  ['pl;q=1.000, de', 'pl'],
  ['DE;Q=0.5', 'de'],
  ['*', null],
  ['', null],
  ['de;q=2, ;;, de;q=a', null],
  [`${'fr,'.repeat(400)}de`, null],
])('the header %j asks for %j', (header, language) => {
  expect(acceptedLanguage(header, known)).toBe(language)
})
