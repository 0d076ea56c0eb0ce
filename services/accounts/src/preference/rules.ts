/** Preferences resolved: what holds where nothing was chosen. */
import { pickLanguage } from '@murmuration/text'

export interface Chosen {
  locked: boolean
  locale: string
  default_privacy: 'public' | 'unlisted' | 'private' | 'direct' | null
  default_language: string | null
}

/** The chosen default, else followers only for locked accounts. */
export const privacyOf = (chosen: Chosen): 'public' | 'unlisted' | 'private' | 'direct' =>
  chosen.default_privacy ?? (chosen.locked ? 'private' : 'public')

/** The chosen language, else that of the login, else the server's. */
export const languageOf = (chosen: Chosen, serverLanguages: readonly string[]): string =>
  pickLanguage(chosen.default_language, chosen.locale, ...serverLanguages) ?? 'en'
