/** How a person posts and reads when they do not say otherwise. */
import { postingDefaults } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { languageOf, privacyOf } from '../../domain/preference.js'
import { handle } from '../../doors.js'
import { preferencesOf } from '../../store/preference.js'

export const getPosting = handle(postingDefaults, async (ctx, _viewer, { id }) => {
  const row = await preferencesOf(ctx.db, id)
  if (!row) throw notFound()
  return {
    visibility: privacyOf(row),
    sensitive: row.default_sensitive,
    language: languageOf(row, ctx.policy.settings().languages),
    quote_policy: row.default_quote_policy,
    show_application: row.show_application,
    chosen_languages: row.chosen_languages,
    aggregate_reblogs: row.aggregate_reblogs,
  }
})
