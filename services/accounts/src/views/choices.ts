/** What a person chose for writing and reading, as the page shows it on which they change it. */
import type { PreferenceChoices } from '@murmuration/contracts/accounts'
import type { PreferenceRow } from '../store/preference.js'

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
})
