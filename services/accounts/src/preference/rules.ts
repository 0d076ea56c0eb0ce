/** Resolves preferences that the user has not set. */
import { pickLanguage } from '@murmuration/text'

export interface Chosen {
  locked: boolean
  locale: string
  default_privacy: 'public' | 'unlisted' | 'private' | 'direct' | null
  default_language: string | null
}

/** Default visibility of new statuses: as the user chose it, else `private` for locked accounts and `public` for others. */
export const privacyOf = (chosen: Chosen): 'public' | 'unlisted' | 'private' | 'direct' =>
  chosen.default_privacy ?? (chosen.locked ? 'private' : 'public')

/** The chosen language, else the user's language, else the first supported language of the server, else `en`. */
export const languageOf = (chosen: Chosen, serverLanguages: readonly string[]): string =>
  pickLanguage(chosen.default_language, chosen.locale, ...serverLanguages) ?? 'en'
