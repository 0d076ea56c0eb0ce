/** What a person chose for writing and reading, as statuses are made with it. */
import type { postingDefaults } from '@murmuration/contracts/accounts'
import type { ResultOf } from '@murmuration/contracts/kit'
import { languageOf, privacyOf } from '../domain/preference.js'
import type { PostingRow } from '../store/account-record.js'

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
