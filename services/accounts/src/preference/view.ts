/** Renders preferences for the settings page and for other services. */
import type { PreferenceChoices, postingDefaults } from '@murmuration/contracts/accounts'
import type { ResultOf } from '@murmuration/contracts/kit'
import type { PostingRow } from '../core/account/record.store.js'
import type { PreferenceRow } from '../core/preference/store.js'
import { languageOf, privacyOf } from './rules.js'

/** Preferences as the settings page shows them. */
export const choicesOf = (row: PreferenceRow): PreferenceChoices => ({
  locale: row.locale,
  privacy: row.default_privacy,
  sensitive: row.default_sensitive,
  language: row.default_language,
  quotePolicy: row.default_quote_policy,
  showApplication: row.show_application,
  aggregateReblogs: row.aggregate_reblogs,
  expandMedia: row.expand_media,
  expandSpoilers: row.expand_spoilers,
  autoplayGifs: row.autoplay_gifs,
  chosenLanguages: row.chosen_languages ?? [],
  timeZone: row.time_zone,
})

/** Preferences that apply to new statuses, as other services read them. */
export const postingOf = (
  row: PostingRow,
  serverLanguages: readonly string[],
): ResultOf<typeof postingDefaults.output> => ({
  visibility: privacyOf(row),
  sensitive: row.default_sensitive,
  language: languageOf(row, serverLanguages),
  quote_policy: row.default_quote_policy,
  show_application: row.show_application,
  chosen_languages: row.chosen_languages,
  aggregate_reblogs: row.aggregate_reblogs,
})
