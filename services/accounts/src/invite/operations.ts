/** Handlers of invitations for staff. */
import { inviteDeactivate, inviteListAll, inviteManaged } from '@murmuration/contracts/accounts'
import { notFound, pageReply, toJson } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { handle } from '../doors.js'
import { inviteOf } from '../views/invite.js'
import { deactivateInvite, invitePage } from './store.js'

export const listAll = handle(inviteListAll, async (ctx, _viewer, { account_id, usable, ...page }) => {
  const rows = await invitePage(ctx.db, { account: account_id, usable }, page, ctx.clock.date())
  const invites = rows.map((row) => toJson({ ...inviteOf(row, ctx.clock.now()), account_id: row.account_id }))
  const ids = rows.map((row) => row.id)
  return pageReply(inviteListAll.output, invites, endsOf(ids, page))
})

export const deactivate = handle(inviteDeactivate, (ctx, viewer, { id }) =>
  ctx.db.tx(async (tx) => {
    const row = await deactivateInvite(tx, id, ctx.clock.date())
    if (!row) throw notFound()
    await ctx.announce(tx, inviteManaged, {
      by: viewer?.id ?? null,
      action: 'destroy_invite',
      targetId: id,
      target: row.code,
      before: null,
      after: null,
    })
    return {}
  }),
)
