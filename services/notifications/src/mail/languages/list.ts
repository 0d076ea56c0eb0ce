/** The languages that mails are written in. */
import { de } from './de.js'
import { en } from './en.js'
import type { MailWords } from './words.js'

const LANGUAGES: Readonly<Record<string, MailWords>> = { de, en }

export const MAIL_LANGUAGES: readonly string[] = Object.keys(LANGUAGES)

/** The words for a locale such as `de-AT`: its own, those of the language, else English. */
export const wordsFor = (locale: string): { code: string; words: MailWords } => {
  const [language = ''] = locale.split('-')
  const code = [locale, language].find((one) => Object.hasOwn(LANGUAGES, one)) ?? 'en'
  return { code, words: LANGUAGES[code] ?? en }
}
