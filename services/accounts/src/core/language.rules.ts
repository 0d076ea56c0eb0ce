/** Languages that somebody chose, in the codes this server knows. */
import { invalidField } from '@murmuration/contracts/kit'
import { supportedLanguage } from '@murmuration/text'

/** The code that is meant; refuses what is none. */
export const knownLanguage = (code: string): string => {
  const known = supportedLanguage(code)
  if (known === null) throw invalidField('Language is not included in the list')
  return known
}

/** Known codes, each once; an empty choice is all languages, no choice stays undefined. */
export const chosenLanguages = (codes: readonly string[] | undefined): string[] | null | undefined => {
  if (codes === undefined) return undefined
  const given = codes.filter((code) => code.trim() !== '')
  const known = [...new Set(given.map(supportedLanguage))]
  if (known.some((code) => code === null)) throw invalidField('Languages is not included in the list')
  return known.length ? (known as string[]) : null
}
