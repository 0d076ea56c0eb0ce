/** Languages of locales, plurals, missing translations, and invalid messages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCatalogue } from './catalogue.js'
import { asMessage, msg } from './message.js'
import { argumentsOf } from './message-arguments.js'
import { createTranslator, type Translator } from './translator.js'

const folder = mkdtempSync(join(tmpdir(), 'locales-'))
let of: Translator
beforeAll(() => {
  const write = (language: string, topic: string, translations: Record<string, string>) => {
    mkdirSync(join(folder, language), { recursive: true })
    writeFileSync(join(folder, language, `${topic}.json`), JSON.stringify(translations))
  }
  write('pl', 'pages', {
    Home: 'Strona główna',
    '{count, plural, one {# report} other {# reports}}':
      '{count, plural, one {# zgłoszenie} few {# zgłoszenia} many {# zgłoszeń} other {# zgłoszenia}}',
    'Not yet': '',
    Broken: '{count, plural, one {x}',
  })
  write('pl', 'mail', { 'Hello {name},': 'Cześć, {name}!' })
  write('pt-BR', 'pages', { Home: 'Início' })
  of = createTranslator(readCatalogue(folder))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const reports = '{count, plural, one {# report} other {# reports}}'

test('every folder is a language', () => {
  expect(of.languages).toEqual(['en', 'pl', 'pt-BR'])
})

test.each([
  ['pl', 'pl'],
  ['pl-PL', 'pl'],
  ['PL_pl', 'pl'],
  ['pt-br', 'pt-BR'],
  ['pt', 'en'],
  ['fr', 'en'],
  ['', 'en'],
  [null, 'en'],
])('the locale %j is served in %s', (locale, language) => {
  expect(of.languageOf(locale)).toBe(language)
})

test('a message is translated by every topic of its language', () => {
  expect(of.translate('pl', 'Home')).toBe('Strona główna')
  expect(of.translate('pl', 'Hello {name},', { name: 'Ana' })).toBe('Cześć, Ana!')
  expect(of.translate('pt-BR', 'Home')).toBe('Início')
})

test('a message without translation is in English', () => {
  expect(of.translate('pt-BR', 'Hello {name},', { name: 'Ana' })).toBe('Hello Ana,')
  expect(of.translate('pl', 'Not yet')).toBe('Not yet')
  expect(of.translate(null, 'Home')).toBe('Home')
  expect(of.translate('pt-BR', reports, { count: 1 })).toBe('1 report')
})

test.each([
  [1, '1 zgłoszenie'],
  [2, '2 zgłoszenia'],
  [5, '5 zgłoszeń'],
  [22, '22 zgłoszenia'],
])('%d has its plural form', (count, text) => {
  expect(of.translate('pl', reports, { count })).toBe(text)
  expect(of.translate('pl', reports, { count })).toBe(text)
})

test('values are inserted and never read as a message', () => {
  expect(of.translate('pl', 'Hello {name},', { name: '{count} <b>' })).toBe('Cześć, {count} <b>!')
})

test('values that are not text stay separate parts', () => {
  const link = { href: '/' }
  expect(of.translateParts('pl', 'Hello {name},', { name: link })).toEqual(['Cześć, ', link, '!'])
  expect(of.translateParts('pl', 'Home', {})).toEqual(['Strona główna'])
})

test('invalid messages are returned unchanged', () => {
  for (const text of ['{', '{count, plural, one {x}', '{missing}', "can't", '<b>{'])
    expect(of.translate('pl', asMessage(text))).toBe(text)
  expect(of.translate('pl', 'Broken')).toBe('Broken')
})

test('the compiler refuses texts that are neither literal nor marked', () => {
  const text: string = 'Home'
  // @ts-expect-error a text from elsewhere
  expect(of.translate('pl', text)).toBe('Strona główna')
  expect(of.translate('pl', msg('Home'))).toBe('Strona główna')
})

test('arguments are found in every branch of a message', () => {
  expect(argumentsOf('{b} {count, plural, one {{a}} other {# {kind, select, x {} other {{c}}}}}')).toEqual([
    'a',
    'b',
    'c',
    'count',
    'kind',
  ])
  expect(argumentsOf('<b>')).toEqual([])
  expect(() => argumentsOf('{')).toThrow()
})
