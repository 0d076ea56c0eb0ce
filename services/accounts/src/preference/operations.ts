/** Handlers of preferences. */
import {
  chosenLanguages as languagesOfAccounts,
  postingDefaults,
  preferenceChange,
  preferenceChoices,
  preferenceShow,
} from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { chosenLanguages, knownLanguage } from '../core/language.rules.js'
import { languagesOf, preferencesOf } from '../core/preference.store.js'
import { signedIn } from '../core/signed-in.js'
import { handle } from '../handlers.js'
import { changePreferences } from './change.js'
import { languageOf, privacyOf } from './rules.js'
import { choicesOf, postingOf } from './view.js'

/** Defaults of the viewer. */
export const showPreferences = handle(preferenceShow, async (ctx, viewer) => {
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

/** The person of a browser session chooses how they write and read. */
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

/** How a person posts and reads when they do not say otherwise. */
export const getPosting = handle(postingDefaults, async (ctx, _viewer, { id }) => {
  const row = await preferencesOf(ctx.db, id)
  if (!row) throw notFound()
  return postingOf(row, ctx.policy.settings().languages)
})

/** Languages in which people want to read public statuses. */
export const getChosenLanguages = handle(languagesOfAccounts, async (ctx, _viewer, { ids }) => ({
  chosen: Object.fromEntries(await languagesOf(ctx.db, ids)),
}))
