/** Handlers of preferences. */
import {
  changePreferences as changePreferencesOperation,
  chosenLanguages as languagesOfAccounts,
  postingDefaults,
  preferenceChoices,
  showPreferences,
} from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { chosenLanguages, knownLanguage } from '../core/preference/language.rules.js'
import { languagesOf, preferencesOf } from '../core/preference/store.js'
import { knownTimeZone } from '../core/preference/time-zone.rules.js'
import { signedIn } from '../core/session/signed-in.js'
import { handle } from '../handlers.js'
import { changePreferences } from './change.js'
import { languageOf, privacyOf } from './rules.js'
import { choicesOf, postingOf } from './view.js'

/** Returns the preferences of the viewer. */
export const show = handle(showPreferences, async (ctx, viewer) => {
  const row = await preferencesOf(ctx.db, viewer.id)
  if (!row) throw notFound()
  return {
    'posting:default:visibility': privacyOf(row),
    'posting:default:sensitive': row.default_sensitive,
    'posting:default:language': languageOf(row, ctx.policy.settings().languages),
    'posting:default:quote_policy': row.default_quote_policy,
    'reading:expand:media': row.expand_media,
    'reading:expand:spoilers': row.expand_spoilers,
    'reading:autoplay:gifs': row.autoplay_gifs,
  }
})

/** Preferences of the user of a browser session. */
export const showChoices = handle(preferenceChoices, async (ctx, _viewer, { session }) => {
  const { account_id } = await signedIn(ctx, session)
  const row = await preferencesOf(ctx.db, account_id)
  if (!row) throw notFound()
  return choicesOf(row)
})

/** Changes preferences of the user of a browser session. */
export const changePreference = handle(changePreferencesOperation, async (ctx, _viewer, { session, ...given }) => {
  const choices = {
    ...given,
    locale: given.locale === undefined ? undefined : knownLanguage(given.locale),
    language: given.language ? knownLanguage(given.language) : given.language,
    chosenLanguages: chosenLanguages(given.chosenLanguages),
    timeZone: knownTimeZone(given.timeZone),
  }
  await changePreferences(ctx, await signedIn(ctx, session), choices)
  return {}
})

/** Returns the defaults of an account for new statuses. */
export const getPosting = handle(postingDefaults, async (ctx, _viewer, { id }) => {
  const row = await preferencesOf(ctx.db, id)
  if (!row) throw notFound()
  return { ...postingOf(row, ctx.policy.settings().languages), time_zone: row.time_zone }
})

/** Returns the languages in which accounts read public statuses. Accounts that read all languages are absent. */
export const getChosenLanguages = handle(languagesOfAccounts, async (ctx, _viewer, { ids }) => ({
  chosen: Object.fromEntries(await languagesOf(ctx.db, ids)),
}))
