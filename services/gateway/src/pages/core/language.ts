/** The language of the page that is being made: pages are written in English, and what a reader's language has words for is said in them. */
import { currentRequest } from '@murmuration/kernel'
import { LANGUAGES as LANGUAGE_NAMES } from '@murmuration/text'
import { de } from '../words/de.js'
import { deAdmin } from '../words/de-admin.js'
import { deAudit } from '../words/de-audit.js'
import { deBulk } from '../words/de-bulk.js'
import { deContent } from '../words/de-content.js'
import { deHealth } from '../words/de-health.js'
import { deHome } from '../words/de-home.js'
import { dePages } from '../words/de-pages.js'
import { deProblems } from '../words/de-problems.js'
import { deReports } from '../words/de-reports.js'
import { deRoles } from '../words/de-roles.js'
import { deServer } from '../words/de-server.js'
import { deSettings } from '../words/de-settings.js'
import { deStrikes } from '../words/de-strikes.js'
import { deUpkeep } from '../words/de-upkeep.js'

/** English words of a page, and what they are in another language. */
export type Words = Readonly<Record<string, string>>

/** The word files of each language: no word may be in two with different meanings. */
export const WORDS: ReadonlyMap<string, readonly Words[]> = new Map([
  [
    'de',
    [
      de,
      deAdmin,
      deAudit,
      deBulk,
      deContent,
      deHealth,
      deHome,
      dePages,
      deProblems,
      deRoles,
      deServer,
      deSettings,
      deReports,
      deStrikes,
      deUpkeep,
    ],
  ],
])
const PROBLEMS: Readonly<Record<string, Words>> = { de: deProblems }

/** Words of pages by language. Problems of services are apart, because they are looked for in parts and with names in them. */
export const LANGUAGES: ReadonlyMap<string, { words: ReadonlyMap<string, string>; problems: Words }> = new Map(
  [...WORDS].map(([code, files]) => [
    code,
    { words: new Map(files.flatMap((words) => Object.entries(words))), problems: PROBLEMS[code] ?? {} },
  ]),
)

/** Code of the language: what the request asks for by `lang` or `Accept-Language`, if there are words of it, else English. */
export const languageNow = (): string => {
  const code = (currentRequest()?.locale ?? '').toLowerCase().split('-')[0] ?? ''
  return LANGUAGES.has(code) ? code : 'en'
}

/** A text of ours in the language of the page; a text that is not ours stays as it is. */
export const say = (text: string): string => LANGUAGES.get(languageNow())?.words.get(text) ?? text

/** Undefined for a code that `names` does not know, or does not take for one, as it does `zh-YUE`. */
const nameIn = (names: Intl.DisplayNames, code: string): string | undefined => {
  try {
    return names.of(code)
  } catch {
    return undefined
  }
}

/** Names of languages in the language of the page, by code; in English where there is no translation. */
export const languageNames = (codes: readonly string[]): Map<string, string> => {
  const names = new Intl.DisplayNames([languageNow()], { type: 'language', fallback: 'none' })
  return new Map(codes.map((code) => [code, nameIn(names, code) ?? LANGUAGE_NAMES[code] ?? code]))
}

/** A text of ours with a name in it, where it says `%s`. */
export const sayOf = (text: string, name: string): string => say(text).replace('%s', () => name)

/** Matches text between tags, `aria-label` and `placeholder`. */
export const SPOKEN = /(^|>)([^<>]+)(?=<|$)|((?:aria-label|placeholder)=")([^"<>]+)(?=")/g

/** The words between tags, and those that are read aloud, each looked up as a whole; the space around them stays. */
const inWords = (part: string, words: ReadonlyMap<string, string>): string =>
  part.replace(SPOKEN, (whole: string, before?: string, text?: string, label?: string, read?: string) => {
    const spoken = text ?? read ?? ''
    const trimmed = spoken.trim()
    const found = trimmed === '' ? undefined : words.get(trimmed.replace(/\s+/g, ' '))
    return found === undefined ? whole : `${before ?? label ?? ''}${spoken.replace(trimmed, () => found)}`
  })

const known = new WeakMap<TemplateStringsArray, Map<string, readonly string[]>>()

/** The fixed parts of a template in the language of the page, each looked up once. Inserted values are never changed. */
export const inLanguage = (strings: TemplateStringsArray): readonly string[] => {
  const language = languageNow()
  const words = LANGUAGES.get(language)?.words
  if (words === undefined) return strings
  const made = known.get(strings) ?? new Map<string, readonly string[]>()
  known.set(strings, made)
  const parts = made.get(language) ?? strings.map((part) => inWords(part, words))
  made.set(language, parts)
  return parts
}
