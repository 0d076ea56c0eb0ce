/** Ends an invitation of one's own. */
import { inviteExpire } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { endInvite } from '../../store/invite.js'
import { inviteOf } from '../../views/invite.js'
import { signedIn } from '../../views/signed-in.js'

export const expireInvite = handle(inviteExpire, async (ctx, _viewer, { session, id }) => {
  const person = await signedIn(ctx, session)
  const at = ctx.clock.date()
  const row = await ctx.db.tx((tx) => endInvite(tx, person.account_id, id, at))
  if (!row) throw notFound()
  return { invite: inviteOf(row, at.getTime()) }
})
