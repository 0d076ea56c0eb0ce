/** Chooses the language of a caller. */
import { acceptedLanguage } from './accepted-language.js'

export interface LanguagePreferences {
  /** The parameter `lang` of the request. */
  readonly lang: string | null | undefined
  /** Locale setting of the account. */
  readonly locale: string | null | undefined
  /** The header `Accept-Language`. */
  readonly accepted: string | undefined
}

/** Chooses the first of the languages of parameter, account and header that the catalogue has; else English. */
export const createPreferredLanguage =
  (knownLanguage: (locale: string | null | undefined) => string | null) =>
  ({ lang, locale, accepted }: LanguagePreferences): string =>
    knownLanguage(lang) ?? knownLanguage(locale) ?? acceptedLanguage(accepted, knownLanguage) ?? 'en'
