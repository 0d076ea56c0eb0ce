/** How a person posts and reads when they do not say otherwise. */
import { postingDefaults } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { preferencesOf } from '../../store/preference.js'
import { postingOf } from '../../views/posting.js'

export const getPosting = handle(postingDefaults, async (ctx, _viewer, { id }) => {
  const row = await preferencesOf(ctx.db, id)
  if (!row) throw notFound()
  return postingOf(row, ctx.policy.settings().languages)
})
