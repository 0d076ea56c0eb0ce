/** Bodies of errors in a language: which members are translated, and texts without their arguments. */
import { expect, test } from 'vitest'
import { createErrorTranslator, type Phrase } from './error.js'
import { createTranslator } from './translator.js'

const GERMAN = {
  'Not Found': 'Nicht gefunden',
  'Validation failed: {problems}': 'Fehler: {problems}',
  '{field} {problem}': '{field} {problem}',
  "{field} can't be blank": '{field} fehlt',
  'is too long (maximum is {most} characters)': 'ist länger als {most, plural, one {# Zeichen} other {# Zeichen}}',
  Title: 'Titel',
  'Unknown {name}: {value}': '{value} ist kein {name}',
}
const translator = createTranslator(new Map([['de', new Map([['errors', GERMAN]])]]))
const { translateError, translateErrorBody } = createErrorTranslator(translator, Object.keys(GERMAN))
const tooLong = { message: 'is too long (maximum is {most} characters)', args: { most: 5 } }
const title = { message: 'Title', args: {} }

test('an error text is translated with the texts among its arguments', () => {
  const problems: readonly Phrase[] = [
    { message: '{field} {problem}', args: { field: title, problem: tooLong } },
    { message: "{field} can't be blank", args: { field: title } },
  ]
  const phrase = { message: 'Validation failed: {problems}', args: { problems } }
  expect(translateError('de-AT', phrase)).toBe('Fehler: Titel ist länger als 5 Zeichen, Titel fehlt')
  expect(translateError('fr', phrase)).toBe(
    "Validation failed: Title is too long (maximum is 5 characters), Title can't be blank",
  )
})

test('values of an error text are not translated', () => {
  const phrase = { message: 'Unknown {name}: {value}', args: { name: 'Title', value: '{name} Not Found' } }
  expect(translateError('de', phrase)).toBe('{name} Not Found ist kein Title')
})

test('the texts of a body are translated, and nothing else', () => {
  const body = {
    error: 'Not Found',
    error_description: 'is too long (maximum is 5 characters)',
    details: { title: [{ error: 'Title', description: 'Title' }, 'Title'], note: 'Title' },
    name: 'Title',
    code: 'not_found',
  }
  const phrases = { 'is too long (maximum is 5 characters)': tooLong }
  expect(translateErrorBody('de', body, phrases)).toEqual({
    error: 'Nicht gefunden',
    error_description: 'ist länger als 5 Zeichen',
    details: { title: [{ error: 'Title', description: 'Titel' }, 'Title'], note: 'Title' },
    name: 'Title',
    code: 'not_found',
  })
  expect(translateErrorBody('de', { error: { error: 'Not Found', details: {} } })).toEqual({
    error: { error: 'Nicht gefunden', details: {} },
  })
  expect(translateErrorBody('de', { error: 'invalid_grant' })).toEqual({ error: 'invalid_grant' })
  for (const other of [null, 'Not Found', 5, ['Not Found']]) expect(translateErrorBody('de', other)).toEqual(other)
})

test('an English text without arguments is translated by the message that it has the form of', () => {
  const inGerman = (message: string) => translateError('de', { message, args: {} })
  expect(inGerman("Title can't be blank")).toBe('Titel fehlt')
  expect(inGerman("Validation failed: Title can't be blank, Not Found")).toBe('Fehler: Titel fehlt, Nicht gefunden')
  expect(inGerman('Nothing like this')).toBe('Nothing like this')
  expect(inGerman(`Unknown a: ${'b'.repeat(600)}`)).toBe(`Unknown a: ${'b'.repeat(600)}`)
})

test('a text of many separators is read in little time', () => {
  const started = process.threadCpuUsage()
  translateError('de', { message: `Unknown ${': '.repeat(240)}`, args: {} })
  translateError('de', { message: 'Validation failed: '.repeat(26), args: {} })
  expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000)
})
