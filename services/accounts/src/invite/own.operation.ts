/** Handlers of the invitations of the signed-in user. */
import { createInvite, expireInvite, listInvites } from '@murmuration/contracts/accounts'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { lockName } from '../core/lock.store.js'
import { refuseIfAny } from '../core/problem.rules.js'
import { signedIn } from '../core/session/signed-in.js'
import { handle } from '../handlers.js'
import { inviteOf, mayInvite } from './check.js'
import { inviteProblems, newInviteCode } from './rules.js'
import { countInvites, endInvite, insertInvite, invitesOf } from './store.js'

/** Returns the invitations of the signed-in user, newest first. */
export const list = handle(listInvites, async (ctx, _viewer, { session }) => {
  const user = await mayInvite(ctx, session)
  const rows = await invitesOf(ctx.db, user.account_id)
  return { invites: rows.map((row) => inviteOf(row, ctx.clock.now())) }
})

/** Maximum number of invitations that one account may ever create. Ended ones are kept, because sign-ups refer to them. */
const MAX_INVITES = 500

export const handleCreateInvite = handle(createInvite, async (ctx, _viewer, { session, ...wanted }) => {
  const user = await mayInvite(ctx, session)
  refuseIfAny(inviteProblems(wanted))
  const at = ctx.clock.date()
  const row = {
    id: ctx.ids.next(),
    account_id: user.account_id,
    code: newInviteCode(),
    uses: 0,
    max_uses: wanted.max_uses,
    expires_at: wanted.expires_in === null ? null : new Date(at.getTime() + wanted.expires_in * 1_000),
    autofollow: wanted.autofollow,
    comment: wanted.comment.trim(),
    created_at: at,
  }
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `invites ${user.account_id}`)
    if ((await countInvites(tx, user.account_id)) >= MAX_INVITES)
      throw invalidField('You have reached the maximum number of invitations')
    await insertInvite(tx, row)
  })
  return { invite: inviteOf(row, at.getTime()) }
})

/** Ends an invitation of the signed-in user. */
export const expire = handle(expireInvite, async (ctx, _viewer, { session, id }) => {
  const user = await signedIn(ctx, session)
  const at = ctx.clock.date()
  const row = await ctx.db.tx((tx) => endInvite(tx, user.account_id, id, at))
  if (!row) throw notFound()
  return { invite: inviteOf(row, at.getTime()) }
})
