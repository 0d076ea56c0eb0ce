/** Own invitations, newest first. */
import { inviteList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { invitesOf } from '../../store/invite.js'
import { inviteOf } from '../../views/invite.js'
import { mayInvite } from '../../views/may-invite.js'

export const listInvites = handle(inviteList, async (ctx, _viewer, { session }) => {
  const person = await mayInvite(ctx, session)
  const rows = await invitesOf(ctx.db, person.account_id)
  return { invites: rows.map((row) => inviteOf(row, ctx.clock.now())) }
})
