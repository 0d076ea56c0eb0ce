/** Makes an invitation. */
import { inviteCreate } from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { inviteProblems, newInviteCode } from '../../domain/invite.js'
import { refuseIfAny } from '../../domain/problem.js'
import { handle } from '../../doors.js'
import { countInvites, insertInvite } from '../../store/invite.js'
import { lockName } from '../../store/lock.js'
import { inviteOf } from '../../views/invite.js'
import { mayInvite } from '../../views/may-invite.js'

/** For one person, over all time; what ended still says who came by whom. */
const MOST = 500

export const createInvite = handle(inviteCreate, async (ctx, _viewer, { session, ...wish }) => {
  const person = await mayInvite(ctx, session)
  refuseIfAny(inviteProblems(wish))
  const at = ctx.clock.date()
  const row = {
    id: ctx.ids.next(),
    account_id: person.account_id,
    code: newInviteCode(),
    uses: 0,
    max_uses: wish.max_uses,
    expires_at: wish.expires_in === null ? null : new Date(at.getTime() + wish.expires_in * 1_000),
    autofollow: wish.autofollow,
    comment: wish.comment.trim(),
    created_at: at,
  }
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `invites ${person.account_id}`)
    if ((await countInvites(tx, person.account_id)) >= MOST)
      throw invalidField('You have reached the maximum number of invitations')
    await insertInvite(tx, row)
  })
  return { invite: inviteOf(row, at.getTime()) }
})
