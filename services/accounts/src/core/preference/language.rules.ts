/** Validates language codes of requests against the supported languages. */
import { invalidField } from '@murmuration/contracts/kit'
import { supportedLanguage } from '@murmuration/text'

/** The supported code for `code`. Throws an invalid-field error if there is none. */
export const knownLanguage = (code: string): string => {
  const known = supportedLanguage(code)
  if (known === null) throw invalidField('Language is not included in the list')
  return known
}

/**
 * Supported codes without duplicates. An empty list gives null, which means all languages. An undefined list stays
 * undefined.
 */
export const chosenLanguages = (codes: readonly string[] | undefined): string[] | null | undefined => {
  if (codes === undefined) return undefined
  const given = codes.filter((code) => code.trim() !== '')
  const known = [...new Set(given.map(supportedLanguage))]
  if (known.some((code) => code === null)) throw invalidField('Languages is not included in the list')
  return known.length ? (known as string[]) : null
}
