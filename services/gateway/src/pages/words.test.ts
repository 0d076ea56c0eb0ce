/** Every text of our pages has words in every language there is: read from the source, so that no page is forgotten. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Request, within } from '@murmuration/kernel'
import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { LANGUAGES, SPOKEN, WORDS } from './core/language.js'
import { sayProblem } from './core/problem-words.js'
import { deProblems } from './words/de-problems.js'

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** No pages: what programs read, and our own files. */
const NO_PAGES = [
  'core/style',
  'core/home-style',
  'core/admin-style',
  'core/assets',
  'core/blob-answer',
  'core/redirect',
  'core/cookies',
  'site/site-files',
  'site/files',
  'site/reference',
  'index',
  'sign-in/web-client',
  'public/rss',
]
const HERE = import.meta.dirname
/** Texts of pages that the reference or a service shares. */
const SHARED = ['setting-text', 'audit-action'].map((name) => `../../../../packages/contracts/src/admin/${name}.ts`)
const pages = globSync('**/*.ts', { cwd: HERE })
  .filter((path) => !path.startsWith('words') && !path.includes('.test.'))
  .filter((path) => !NO_PAGES.some((name) => path === `${name}.ts`))
  .concat(SHARED)

/** Strings that need no translation: attributes, headers, directives, names of programs and technical terms. */
const ATTRIBUTE =
  /^(?:"? ?[a-z-]+="?|(?:selected|checked|required|autofocus|disabled|open|hidden|loop muted)$|\/|\S*@\S*$)/
const NO_WORDS = new Set(
  `Accept|Link|Location|Vary|Cookie|Accept-Language|Retry-After|Refresh|Cache-Control|Content-Type|Content-Length|Content-Disposition
Content-Security-Policy|X-Content-Type-Options|X-Frame-Options|X-Request-Id|X-Hub-Signature|Cross-Origin-Opener-Policy|Path=/; HttpOnly; SameSite=Lax
application/json; charset=utf-8|text/html; charset=utf-8|text/csv; charset=utf-8|private, no-store|query parser|sign-up form
Edge|Opera|Samsung Internet|Vivaldi|Firefox|Chrome|Safari|Android|Windows|ChromeOS|Linux|of the server|of yours
DENY| rel="nofollow noopener"| rel="nofollow noopener me"|<img class="emoji" src="|:" width="20" height="20" loading="lazy">
attachment; filename="|a page failed|Murmuration|Elk|toot login_browser`.split(/[|\n]/),
)
const DIRECTIVES =
  /^(?:max-age=|default-src |style-src |script-src |connect-src |img-src |media-src |manifest-src |base-uri |form-action |frame-ancestors )/
const isWord = (text: string): boolean => /\p{L}{2}/u.test(text) && !NO_WORDS.has(text) && !DIRECTIVES.test(text)
/** Names of things are one word in small letters; what people read is more, or begins with a capital. */
const isProse = (text: string): boolean =>
  isWord(text) && (/ /.test(text.trim()) || /^\p{Lu}[\p{Ll}-]/u.test(text.trim()))

/** Texts that are looked up as a whole wherever a page holds them. */
const fixed = (quasis: readonly Node[]): string[] => {
  let before = ''
  return quasis.flatMap((quasi) => {
    const { cooked } = quasi.value as { cooked: string }
    const inTag = before.lastIndexOf('<') > before.lastIndexOf('>')
    before += cooked
    const text = inTag && !cooked.includes('>') ? '' : inTag ? cooked.slice(cooked.indexOf('>')) : cooked
    return [...text.matchAll(SPOKEN)]
      .map((found) => (found[2] ?? found[4] ?? '').trim().replace(/\s+/g, ' '))
      .filter((one) => isWord(one) && !ATTRIBUTE.test(one))
  })
}

const nameOf = (callee: unknown): string =>
  isNode(callee) ? String(callee.name ?? (isNode(callee.property) ? callee.property.name : '')) : ''
const textOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

interface Found {
  /** To be looked up as they stand. */
  readonly texts: string[]
  /** Put together in English where only whole texts are looked up. */
  readonly glued: string[]
}

const search = (value: unknown, found: Found): void => {
  if (Array.isArray(value)) for (const one of value) search(one, found)
  if (!isNode(value)) return
  const node = value
  if (/^(?:Import|TS(?!As|Satisfies))/.test(node.type)) return
  if (node.type === 'TaggedTemplateExpression' && nameOf(node.tag) === 'html') {
    const { quasis, expressions } = node.quasi as unknown as { quasis: Node[]; expressions: Node[] }
    found.texts.push(...fixed(quasis))
    return search(expressions, found)
  }
  if (node.type === 'CallExpression') {
    const name = nameOf(node.callee)
    const [first, second, third] = node.arguments as Node[]
    // Log messages are for operators and are not translated.
    if (['warn', 'error', 'info'].includes(name)) return
    if (name === 'countOf') {
      const one = textOf(second) ?? ''
      found.texts.push(one, textOf(third) ?? `${one}s`)
    }
    const said = name === 'say' || name === 'sayOf' ? textOf(first) : undefined
    if (said !== undefined) found.texts.push(said)
  }
  if (node.type === 'TemplateLiteral')
    for (const { value } of node.quasis as { value: { cooked: string } }[])
      if (/\p{L}{2,}[^<>="]* \p{L}|^\p{Lu}\p{Ll}/u.test(value.cooked) && isProse(value.cooked))
        found.glued.push(value.cooked)
  const text = textOf(node)
  if (text !== undefined && isProse(text)) found.texts.push(text.trim())
  for (const [member, child] of Object.entries(node)) if (member !== 'type') search(child, found)
}

const said = pages.map((path) => {
  const found: Found = { texts: [], glued: [] }
  search(parseAst(readFileSync(join(HERE, path), 'utf8'), { lang: 'ts' }).body, found)
  return { path, ...found }
})

test('the source is really read', () => {
  const all = new Set(said.flatMap((one) => one.texts))
  for (const text of [
    'Sign in',
    'Automated post deletion',
    'Blue key',
    'Skip to the content',
    'favourites',
    'All imports',
  ])
    expect([text, all.has(text)]).toEqual([text, true])
  expect(all.size).toBeGreaterThan(500)
})

describe.each([...LANGUAGES])('%s', (code, { words }) => {
  test.each(said)('$path says nothing that has no words', ({ texts, glued }) => {
    expect([...new Set(texts)].filter((text) => !words.has(text))).toEqual([])
    expect(glued).toEqual([])
  })

  test('no word stands there that no page says', () => {
    const all = new Set(said.flatMap((one) => one.texts))
    const made = /^(?:read|change) %s of |^[a-z]+$/
    const unsaid = [...words.keys()].filter((text) => !all.has(text) && !made.test(text) && !(text in deProblems))
    expect(unsaid).toEqual([])
  })

  test.each([
    'Username has already been taken.',
    'Username is too long (maximum is 30 characters).',
    'Username must contain only letters, numbers and underscores.',
    "Email can't be blank.",
    'Email uses a disallowed e-mail provider.',
    'Password is too short (minimum is 8 characters).',
    'Password is too common.',
    'Current password is invalid.',
    'Date of birth is below the age limit.',
    'Reason is too long (maximum is 420 characters).',
    'Agreement must be accepted.',
    'Invite code is invalid.',
    'Maximum uses is not included in the list.',
    'Language is not included in the list.',
    'New account does not name this account as an alias',
    'Account is one too many (256 at most)',
    'File has more than 20000 rows',
    'You moved recently. You can move again on 2026-03-04.',
    'Elsewhere did not tell an e-mail address, which an account needs.',
    'There is nothing at this address.',
  ])('what is wrong is said: %s', async (sentence) => {
    const inIt = (locale: string) => within({ locale } as Request, async () => sayProblem(sentence))
    expect(await inIt('en')).toBe(sentence)
    const meaning = await inIt(code)
    expect(meaning).not.toBe(sentence)
    expect(meaning).not.toContain('%s')
    expect(meaning.endsWith('.')).toBe(sentence.endsWith('.'))
    for (const [number] of sentence.matchAll(/\d+/g)) expect(meaning).toContain(number)
  })
})

test('what nobody has words for is said as it came', async () => {
  const inGerman = (text: string) => within({ locale: 'de' } as Request, async () => sayProblem(text))
  expect(await inGerman('Something new is odd.')).toBe('Something new is odd.')
  expect(await inGerman('Username is odd.')).toBe('Username is odd.')
})

test('each word means one thing', () => {
  const all = WORDS.get('de')?.flatMap((words) => Object.entries(words)) ?? []
  expect(all.length).toBeGreaterThan(1_000)
  const meanings = new Map(all)
  expect(all.filter(([word, meaning]) => meanings.get(word) !== meaning)).toEqual([])
})
