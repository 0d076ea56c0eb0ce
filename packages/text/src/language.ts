/** Languages of statuses and people: which codes are known and which one is meant. */
import { LANGUAGES } from './language-table.js'

/** Every supported language, code and English name, in the order the API lists them. */
export const languages: readonly { code: string; name: string }[] = Object.entries(LANGUAGES).map(([code, name]) => ({
  code,
  name,
}))

const BY_LOWER_CASE = new Map(languages.map(({ code }) => [code.toLowerCase(), code]))
const MAX_CODE = 35

/**
 * The supported code that a code means: itself in any case, else the nearest shorter one, else null.
 *
 * @example supportedLanguage('de-AT') // 'de'
 */
export function supportedLanguage(code: string): string | null {
  if (code.length > MAX_CODE) return null
  const parts = code.trim().toLowerCase().split(/[-_]/)
  while (parts.length > 0) {
    const known = BY_LOWER_CASE.get(parts.join('-'))
    if (known !== undefined) return known
    parts.pop()
  }
  return null
}

/**
 * The first of several wishes that is supported, null when none is: the language of the request, else the person's,
 * else the server's.
 *
 * @example pickLanguage('tlh', null, 'pt-BR') // 'pt'
 */
export function pickLanguage(...wishes: (string | null | undefined)[]): string | null {
  for (const wish of wishes) {
    const known = wish ? supportedLanguage(wish) : null
    if (known !== null) return known
  }
  return null
}
