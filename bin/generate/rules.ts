/** Generates the reference page of numbered rules: each number in test titles, with the title as its meaning. */
import { sources } from '../rules/files.js'

/** Matches the title of a test, or the first text of a row of its table. */
const TITLE = /(?:\b(?:test|describe|it)(?:\.\w+)*\(\s*|\)\(\s*|\[\s*)(['"`])((?:\\.|(?!\1).)*)\1/g

interface Series {
  title: string
  about: string
  /**
   * True if no other text has the form of the numbers of these rules. Then the whole test file is searched for them,
   * not only the titles.
   */
  isUnique?: boolean
  /** Finds the rule numbers in a test title. */
  numbers(title: string, path: string): string[]
}

const matches =
  (pattern: RegExp) =>
  (title: string): string[] =>
    title.match(pattern) ?? []

/** Returns a function that finds rule numbers after a word, such as 12 and 14 in `hostile 12, 14`. */
const listed =
  (word: string, number: string) =>
  (title: string): string[] =>
    [...title.matchAll(new RegExp(`\\b${word} ((?:${number}[ ,:]+)*${number})(?![\\d.])`, 'g'))].flatMap(
      ([, found = '']) => found.split(/[ ,:]+/).map((one) => `${word} ${one}`),
    )

const isFederation = (path: string): boolean => /federation|activitypub|gateway/.test(path)

const SERIES: readonly Series[] = [
  {
    title: 'S: specification',
    about: 'Behaviour that clients and operators rely on.',
    isUnique: true,
    numbers: matches(/\bS-\d{3}\b/g),
  },
  {
    title: 'F: faults',
    about: 'Failures and races that the server must survive.',
    isUnique: true,
    numbers: matches(/\bF\d{3}\b/g),
  },
  {
    title: 'A: published flaws',
    about: 'Flaws that were published about servers of this kind.',
    isUnique: true,
    numbers: matches(/\bA\d{3}\b/g),
  },
  {
    title: 'D: hardening',
    about: 'Measures that make attacks harder.',
    isUnique: true,
    numbers: matches(/\bD\d{3}\b/g),
  },
  {
    title: 'O, I, T: federation',
    about: 'Rules for sent (`O`) and received (`I`) activities, and for sequences of them (`T`).',
    numbers: (title, path) => (isFederation(path) ? matches(/\b[OIT]\d{1,2}\b/g)(title) : []),
  },
  {
    title: 'hostile',
    about: 'Hostile documents and requests of other servers.',
    numbers: listed('hostile', '\\d{1,3}'),
  },
  {
    title: 'interop',
    about:
      'Forms that other software sends, by section: 3 Mastodon, 4 Misskey, 5 Pleroma, 6 GoToSocial, 7 groups, 8 PeerTube, 9 others.',
    numbers: listed('interop', '\\d\\.\\d{1,2}'),
  },
]

interface Found {
  titles: Set<string>
  /** First sentences of the files that name the rule. They are shown if no test title names the rule. */
  headers: Set<string>
  files: Set<string>
}

/** Returns a test title without the rule numbers at its start. Values in a template literal become `…`. */
const meaning = (title: string): string =>
  title
    .replace(/^(?:(?:S-\d{3}|[FAD]\d{3}|[OIT]\d{1,2}|m\d{2}|(?:hostile|interop) [\d., ]*\d)[ ,:]*)+/, '')
    .replace(/\b(?:S-\d{3}|[FAD]\d{3}) ?/g, '')
    .replace(/\$\{[^}]*\}/g, '…')
    .replace(/^…\s*/, '')
    .replace(/\\(.)/g, '$1')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .trim()

/** Number of words below which a test title is listed after longer titles. */
const FEW_WORDS = 4
/** Titles of a table of cases contain placeholders, such as %s, so they state the rule less clearly than other titles. */
const PLACEHOLDER = /%[sdifjo#]/
const rank = (text: string): number => {
  if (text.split(' ').length < FEW_WORDS) return 2
  return PLACEHOLDER.test(text) ? 1 : 0
}
const byClarity = (one: string, other: string): number => rank(one) - rank(other)

const MAX_TITLES = 2
const MAX_FILES = 3

const headerOf = (text: string): string => /^\/\*\*\s*(?:\* )?(.*?)(?:\*\/)?$/m.exec(text)?.[1]?.trim() ?? ''

const row = (number: string, { titles, headers, files }: Found): string => {
  const full = [...titles].filter((text) => /\p{L}/u.test(text.replace(/%\w/g, ''))).sort(byClarity)
  const texts = full.length > 0 ? full : [...headers]
  const named = [...files].map((path) => `[${path.split('/').at(-1)}](../../${path})`)
  const more = named.length > MAX_FILES ? ` and ${named.length - MAX_FILES} more` : ''
  return `| ${number} | ${texts.slice(0, MAX_TITLES).join('; ')} | ${named.slice(0, MAX_FILES).join(', ')}${more} |`
}

const byNumber = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })

const section = ({ title, about }: Series, found: ReadonlyMap<string, Found>): string =>
  `## ${title}\n\n${about}\n\n| Number | Tested as | In |\n|---|---|---|\n${[...found.keys()]
    .sort(byNumber)
    .map((number) => row(number, found.get(number) ?? { titles: new Set(), headers: new Set(), files: new Set() }))
    .join('\n')}\n`

const testFiles = () =>
  sources('services/*.test.ts', 'packages/*.test.ts', 'e2e/*.test.ts', 'e2e/*.inside.ts', 'bin/*.test.ts').filter(
    (file) => !file.path.endsWith('rows.test.ts'),
  )

/** Rule numbers of the specification that a test title contains. */
export const testedRules = (): Set<string> =>
  new Set(
    testFiles().flatMap(({ text }) =>
      [...text.matchAll(TITLE)].flatMap(([, , title = '']) => title.match(/\bS-\d{3}\b/g) ?? []),
    ),
  )

export const rulesPage = (): string => {
  const found = new Map(SERIES.map((series) => [series, new Map<string, Found>()]))
  for (const { path, text } of testFiles())
    for (const [series, rows] of found) {
      const add = (number: string, title: string | null): void => {
        const one = rows.get(number) ?? { titles: new Set(), headers: new Set(), files: new Set() }
        if (title !== null) one.titles.add(meaning(title))
        one.headers.add(meaning(headerOf(text)))
        one.files.add(path)
        rows.set(number, one)
      }
      for (const [, , title = ''] of text.matchAll(TITLE))
        for (const number of series.numbers(title, path)) add(number, title)
      if (series.isUnique) for (const number of series.numbers(text, path)) add(number, null)
    }
  return `<!-- Written by npm run gen from the titles of tests. -->
# Numbered rules

Comments and tests name rules by number, such as \`S-094\` or \`F056\`. The test of a rule carries its number. \`git grep -n F056\` finds
all places.

${[...found].map(([series, rows]) => section(series, rows)).join('\n')}`
}
