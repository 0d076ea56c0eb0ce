/** Follows an account, asks to follow it, or changes how it is followed. */
import { followCreate } from '@murmuration/contracts/accounts'
import { reply } from '@murmuration/contracts/kit'
import { followAs } from '../../changes/follow-as.js'
import { chosenLanguages } from '../../domain/language.js'
import { handle } from '../../doors.js'
import { otherAccount } from '../../views/other-account.js'
import { relationshipTo } from '../../views/relationship.js'

export const createFollow = handle(followCreate, async (ctx, viewer, { id, reblogs, notify, languages }) => {
  // An absent account is not found, whatever languages are asked for.
  if (languages !== undefined) await otherAccount(ctx, id)
  const given = { reblogs, notify, languages: chosenLanguages(languages) }
  const { outcome, to } = await ctx.db.tx((tx) => followAs(ctx, tx, viewer.id, id, given))
  const relationship = await relationshipTo(ctx, viewer.id, id)
  // An open account elsewhere will accept in a moment, and clients should not show a request that nobody must answer.
  const answersFirst = to.domain !== null && !to.locked
  const shown =
    answersFirst && relationship.requested ? { ...relationship, following: true, requested: false } : relationship
  const changed = outcome === 'follow' || outcome === 'request'
  return reply(shown, changed ? {} : { headers: { 'X-Unchanged': '1' } })
})
