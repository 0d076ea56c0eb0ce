/** Translations: which languages go together, and how texts are made ready for a translator and taken back. */
import { escapeHtml, htmlToPlainText, sanitiseRemoteHtml } from '@murmuration/text'

/** Targets by source, as codes of the API; `und` is for statuses whose language nobody knows. */
export type LanguagePairs = Readonly<Record<string, readonly string[]>>

/** The form of a code in the API: `pt-BR`. */
export const languageCode = (code: string): string => {
  const [language = '', ...rest] = code.split(/[-_]/)
  return [language.toLowerCase(), ...rest.map((part) => (part.length === 2 ? part.toUpperCase() : part))].join('-')
}

const baseOf = (code: string): string => code.split('-', 1)[0] ?? code

/** The known code that a wish means: itself, or without its region. */
const among = (codes: readonly string[], wish: string): string | null => {
  const known = (code: string) => codes.find((one) => one.toLowerCase() === code.toLowerCase())
  return known(wish) ?? known(baseOf(wish)) ?? null
}

/** From and into which language a status can be translated; null when that pair is not offered. */
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

/** Every target for statuses whose language is not known. */
export const withUnknown = (pairs: LanguagePairs): LanguagePairs => ({
  ...pairs,
  und: [...new Set(Object.values(pairs).flat())].sort(),
})

/** Names of custom emoji: those of other servers may have letters of any script, dots and dashes. */
const SHORTCODE = /:([\p{L}\p{N}\p{M}_+.-]{1,200}):/gu

/** HTML with its custom emoji marked, so that nobody translates their names. */
export const protectEmoji = (html: string, shortcodes: ReadonlySet<string>): string =>
  shortcodes.size === 0
    ? html
    : html.replace(SHORTCODE, (all, code: string) =>
        shortcodes.has(code) ? `<span translate="no">${all}</span>` : all,
      )

const bareEmoji = (html: string): string =>
  html.replace(/<span translate="no">(:[\p{L}\p{N}\p{M}_+.-]{1,200}:)<\/span>/gu, '$1')

/** Translated HTML as it may be shown: cleaned like HTML of other servers (A148). */
export const cleanTranslation = (html: string): string => bareEmoji(sanitiseRemoteHtml(html))

/** A plain text as the HTML that translators read. */
export const plainAsHtml = (text: string, shortcodes: ReadonlySet<string>): string =>
  protectEmoji(escapeHtml(text), shortcodes)

/** A translated plain text, without any markup. */
export const htmlAsPlain = (html: string): string => htmlToPlainText(html)
