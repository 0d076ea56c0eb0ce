/** All texts of pages are translatable messages, and errors of services are translated. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ErrorText, errorText, Failure, fieldProblem, invalidField } from '@murmuration/contracts/kit'
import { type Request, within } from '@murmuration/kernel'
import { languages } from '@murmuration/messages'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { errorMessage, failureMessage } from './core/error-message.js'
import { html } from './core/html.js'
import { languageNow, t } from './core/language.js'

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Files without user-visible text. */
const NO_PAGES = [
  'core/style',
  'core/home-style',
  'core/admin-style',
  'core/assets',
  'core/blob-response',
  'core/redirect',
  'core/cookies',
  'site/site-files',
  'site/files',
  'site/reference',
  'index',
  'sign-in/web-client',
  'public/rss',
  'core/parts/browser',
]
const HERE = import.meta.dirname
const pages = globSync('**/*.ts', { cwd: HERE })
  .filter((path) => !path.includes('.test.'))
  .filter((path) => !NO_PAGES.some((name) => path === `${name}.ts`))

/** Names of programs and technical terms, which are the same in every language. */
const SAME = new Set(
  `Murmuration|Elk|toot login_browser|UTC|X-Hub-Signature|a page failed|sign-up form|a sign-in with a provider failed`.split(
    '|',
  ),
)
const CALLS = new Set([
  't',
  'msg',
  'fail',
  'errorText',
  'warn',
  'error',
  'info',
  'setHeader',
  'appendHeader',
  'set',
  'startsWith',
  'Error',
])

const nameOf = (callee: unknown): string =>
  isNode(callee) ? String(callee.name ?? (isNode(callee.property) ? callee.property.name : '')) : ''

/** Text between tags, and values of attributes that screen readers read. */
const textsOf = (quasis: readonly Node[]): string[] => {
  const source = quasis.map(({ value }) => (value as { cooked: string }).cooked).join('\u0000')
  // Some templates are a part of a tag, such as ` aria-current="page"`.
  if (
    !source.includes('<') &&
    /^(?:" height="| ?[a-z-]+=".*| [a-z]+(?: muted)?)$/.test(source.replaceAll('\u0000', ''))
  )
    return []
  const attributes = [...source.matchAll(/(?:aria-label|placeholder|title|alt)="([^"]*)"/g)].map(
    ([, text = '']) => text,
  )
  return [
    ...source.replaceAll(/<[^>]*>?/g, '\u0000').split('\u0000'),
    ...attributes.flatMap((one) => one.split('\u0000')),
  ]
}
const isText = (text: string): boolean => /\p{L}{2}/u.test(text) && !SAME.has(text.trim()) && !/^\S*[@/]\S*$/.test(text)
/** True for literals that look like user-visible text: several words, or one with a capital. Identifiers are one lower-case word. */
const isProse = (text: string): boolean =>
  isText(text) && !/[;=<]/.test(text) && (/\p{L} \p{L}/u.test(text) || /^\p{Lu}\p{Ll}+[.…]?$/u.test(text))

const search = (value: unknown, found: string[]): void => {
  if (Array.isArray(value)) for (const one of value) search(one, found)
  if (!isNode(value) || /^(?:Import|TS(?!As|Satisfies))/.test(value.type)) return
  if (value.type === 'TaggedTemplateExpression' && nameOf(value.tag) === 'html') {
    const { quasis, expressions } = value.quasi as unknown as { quasis: Node[]; expressions: Node[] }
    found.push(...textsOf(quasis).filter(isText))
    return search(expressions, found)
  }
  // The first argument of these calls is a translatable message or not visible to users.
  const isCall = value.type === 'CallExpression' && CALLS.has(nameOf(value.callee))
  if (isCall)
    return search(
      (value.arguments as Node[]).slice(1).filter(({ type }) => type !== 'Literal'),
      found,
    )
  if (value.type === 'Literal' && typeof value.value === 'string' && isProse(value.value)) found.push(value.value)
  for (const [member, child] of Object.entries(value)) if (member !== 'type') search(child, found)
}

test.each(pages)('%s has no text that is not translatable', (path) => {
  const found: string[] = []
  search(parseAst(readFileSync(join(HERE, path), 'utf8'), { lang: 'ts' }).body, found)
  expect(found).toEqual([])
})

const inLocale = <T>(locale: string, run: () => T): Promise<T> => within({ locale } as Request, async () => run())

test('a message with an HTML argument is HTML, and text arguments are escaped', async () => {
  const link = html`<b>${'a<b'}</b>`
  const made = await inLocale('de-AT', () => t('In reply to {handle}', { handle: link }))
  expect(html`<p>${made}</p>`.text).toBe('<p>Antwort an <b>a&lt;b</b></p>')
  const text = await inLocale('de', () => t('In reply to {handle}', { handle: '<i>' }))
  expect(html`${text}`.text).toBe('Antwort an &lt;i&gt;')
})

test('the language of a page is the requested one if it has translations, else English', async () => {
  expect(languages).toContain('de')
  expect(await inLocale('DE-ch', languageNow)).toBe('de')
  expect(await inLocale('tlh', languageNow)).toBe('en')
  expect(await inLocale('', () => t('Sign in'))).toBe('Sign in')
})

const max = 30
const problems: readonly ErrorText[] = [
  fieldProblem('username', errorText('has already been taken')),
  fieldProblem('username', errorText('is too long (maximum is {most} characters)', { most: max })),
  fieldProblem('email', errorText('uses a disallowed e-mail provider')),
  fieldProblem('date_of_birth', errorText('is below the age limit')),
  errorText('Language is not included in the list'),
  errorText('New account does not name this account as an alias'),
  errorText('File has more than {most} rows', { most: max }),
  errorText('You moved recently. You can move again on {day}.', { day: '2026-03-04' }),
  errorText('{provider} did not return an e-mail address, which an account needs.', { provider: 'Elsewhere' }),
  errorText('There is nothing at this address.'),
]
test.each(problems.map((text) => [String(text), text] as const))(
  'an error of a service is translated: %s',
  async (english, text) => {
    expect(await inLocale('en', () => errorMessage(text))).toBe(english)
    const meaning = await inLocale('de', () => errorMessage(text))
    expect(meaning).not.toBe(english)
    expect(meaning).not.toContain('{')
    for (const [number] of english.matchAll(/\d+/g)) expect(meaning).toContain(number)
  },
)

test.each([
  ['File has more than 20000 rows', 'Datei hat mehr als 20000 Zeilen'],
  ['Keyword is too long (maximum is 200 characters)', 'Wort ist zu lang (höchstens 200 Zeichen)'],
  [
    "Validation failed: Title can't be blank, Account could not be found",
    'Prüfung fehlgeschlagen: Titel darf nicht leer sein, Konto wurde nicht gefunden',
  ],
])('a stored English text is translated by the message that it has the form of: %s', async (english, german) => {
  expect(await inLocale('de', () => errorMessage(english))).toBe(german)
  expect(await inLocale('en', () => errorMessage(english))).toBe(english)
})

test('a text of no message stays as it is', async () => {
  expect(await inLocale('de', () => errorMessage('Something new is odd.'))).toBe('Something new is odd.')
})

test('a validation error of a service lists its problems without the prefix', async () => {
  const failure = invalidField(
    "Title can't be blank",
    errorText('Title is too long (maximum is {most} characters)', { most: max }),
  )
  const german = 'Titel darf nicht leer sein, Titel ist zu lang (höchstens 30 Zeichen)'
  expect(await inLocale('de', () => failureMessage(failure))).toBe(german)
  expect(await inLocale('en', () => failureMessage(failure))).toBe(failure.message.replace('Validation failed: ', ''))
  const older = new Failure('unprocessable', new ErrorText("Validation failed: Title can't be blank, Name is invalid"))
  expect(await inLocale('de', () => failureMessage(older))).toBe('Titel darf nicht leer sein, Name ist ungültig')
})
