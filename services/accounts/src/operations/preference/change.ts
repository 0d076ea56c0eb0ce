/** The person of a browser session chooses how they write and read. */
import { preferenceChange } from '@murmuration/contracts/accounts'
import { changePreferences } from '../../changes/preference.js'
import { chosenLanguages, knownLanguage } from '../../domain/language.js'
import { handle } from '../../doors.js'
import { signedIn } from '../../views/signed-in.js'

export const changePreference = handle(preferenceChange, async (ctx, _viewer, { session, ...said }) => {
  const choices = {
    ...said,
    locale: said.locale === undefined ? undefined : knownLanguage(said.locale),
    language: said.language ? knownLanguage(said.language) : said.language,
    chosenLanguages: chosenLanguages(said.chosenLanguages),
  }
  await changePreferences(ctx, await signedIn(ctx, session), choices)
  return {}
})
