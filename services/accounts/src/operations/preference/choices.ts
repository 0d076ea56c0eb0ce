/** What the person of a browser session chose for writing and reading. */
import { preferenceChoices } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { preferencesOf } from '../../store/preference.js'
import { choicesOf } from '../../views/choices.js'
import { signedIn } from '../../views/signed-in.js'

export const showChoices = handle(preferenceChoices, async (ctx, _viewer, { session }) => {
  const { account_id } = await signedIn(ctx, session)
  const row = await preferencesOf(ctx.db, account_id)
  if (!row) throw notFound()
  return choicesOf(row)
})
