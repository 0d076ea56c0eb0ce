/** Chooses the language of a caller. */
import { acceptedLanguage } from './accepted-language.js'

export interface LanguagePreferences {
  /** Value of the parameter `lang` of the request. */
  readonly lang: string | null | undefined
  /** Locale in the settings of the signed-in account. */
  readonly locale: string | null | undefined
  /** Value of the header `Accept-Language`. */
  readonly accepted: string | undefined
}

/** Chooses the first of the languages of parameter, account and header that the catalogue has; else English. */
export const createPreferredLanguage =
  (knownLanguage: (locale: string | null | undefined) => string | null) =>
  ({ lang, locale, accepted }: LanguagePreferences): string =>
    knownLanguage(lang) ?? knownLanguage(locale) ?? acceptedLanguage(accepted, knownLanguage) ?? 'en'
