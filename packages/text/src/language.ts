/** Languages of statuses and accounts: supported codes, and the choice among several. */
import { LANGUAGES } from './language-table.js'

/** All supported languages, code and English name, in the order of the API. */
export const languages: readonly { code: string; name: string }[] = Object.entries(LANGUAGES).map(([code, name]) => ({
  code,
  name,
}))

const BY_LOWER_CASE = new Map(languages.map(({ code }) => [code.toLowerCase(), code]))
const MAX_CODE = 35

/**
 * The supported language code for a code: the same code in any letter case, else the code without its last subtags,
 * else null.
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
 * The first supported language code of several candidates, such as those of request, account and server; null if none
 * is supported.
 *
 * @example pickLanguage('tlh', null, 'pt-BR') // 'pt'
 */
export function pickLanguage(...preferences: (string | null | undefined)[]): string | null {
  for (const preference of preferences) {
    const known = preference ? supportedLanguage(preference) : null
    if (known !== null) return known
  }
  return null
}
