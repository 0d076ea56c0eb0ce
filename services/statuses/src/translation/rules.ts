/** Rules of translations: language pairs, and preparing texts for a translator and its results for display. */
import { escapeHtml, htmlToPlainText, sanitiseRemoteHtml } from '@murmuration/text'

/** Target languages by source language, as codes of the API. `und`: statuses without a known language. */
export type LanguagePairs = Readonly<Record<string, readonly string[]>>

/** Language code in the form of the API, such as `pt-BR`. */
export const languageCode = (code: string): string => {
  const [language = '', ...rest] = code.split(/[-_]/)
  return [language.toLowerCase(), ...rest.map((part) => (part.length === 2 ? part.toUpperCase() : part))].join('-')
}

const baseOf = (code: string): string => code.split('-', 1)[0] ?? code

/** The code in `codes` for a requested language: equal, or without its region. Null if `codes` contains neither. */
const among = (codes: readonly string[], wanted: string): string | null => {
  const known = (code: string) => codes.find((one) => one.toLowerCase() === code.toLowerCase())
  return known(wanted) ?? known(baseOf(wanted)) ?? null
}

/** Source and target codes for translating a status; null if the pair is not offered. */
export const pairFor = (
  pairs: LanguagePairs,
  source: string | null,
  target: string,
): { source: string; target: string } | null => {
  const from = source === null ? 'und' : among(Object.keys(pairs), source)
  if (from === null || !Object.hasOwn(pairs, from)) return null
  const into = among(pairs[from] ?? [], target)
  return into === null || into === from ? null : { source: from, target: into }
}

/** Adds the source language `und` (unknown), with the target languages of all other source languages. */
export const withUnknown = (pairs: LanguagePairs): LanguagePairs => ({
  ...pairs,
  und: [...new Set(Object.values(pairs).flat())].sort(),
})

/** Shortcodes of custom emoji. Shortcodes of other servers may have letters of any script, dots and dashes. */
const SHORTCODE = /:([\p{L}\p{N}\p{M}_+.-]{1,200}):/gu

/** HTML with its custom emoji marked as not to be translated. */
export const protectEmoji = (html: string, shortcodes: ReadonlySet<string>): string =>
  shortcodes.size === 0
    ? html
    : html.replace(SHORTCODE, (all, code: string) =>
        shortcodes.has(code) ? `<span translate="no">${all}</span>` : all,
      )

const bareEmoji = (html: string): string =>
  html.replace(/<span translate="no">(:[\p{L}\p{N}\p{M}_+.-]{1,200}:)<\/span>/gu, '$1')

/** Translated HTML for display, sanitised like HTML of other servers (A148). */
export const cleanTranslation = (html: string): string => bareEmoji(sanitiseRemoteHtml(html))

/** Plain text as HTML for the translator. */
export const plainAsHtml = (text: string, shortcodes: ReadonlySet<string>): string =>
  protectEmoji(escapeHtml(text), shortcodes)

/** Plain text of a translated HTML text. */
export const htmlAsPlain = (html: string): string => htmlToPlainText(html)
