/** Handlers of invitations for staff. */

import {
  deactivateInvite as deactivateInviteOperation,
  inviteManaged,
  listAllInvites,
  restoreInvite,
} from '@murmuration/contracts/accounts'
import { notFound, pageReply, toJson } from '@murmuration/contracts/kit'
import { endsOf } from '@murmuration/db'
import { restore } from '@murmuration/kernel'
import { readTime } from '@murmuration/text'
import { z } from 'zod'
import { handle } from '../handlers.js'
import { inviteOf } from './check.js'
import { deactivateInvite, invitePage, lockInvite, setInviteExpiry } from './staff.store.js'

export const listAll = handle(listAllInvites, async (ctx, _viewer, { account_id, usable, ...page }) => {
  const rows = await invitePage(ctx.db, { account: account_id, usable }, page, ctx.clock.date())
  const invites = rows.map((row) => toJson({ ...inviteOf(row, ctx.clock.now()), account_id: row.account_id }))
  const ids = rows.map((row) => row.id)
  return pageReply(listAllInvites.output, invites, endsOf(ids, page))
})

export const deactivate = handle(deactivateInviteOperation, (ctx, viewer, { id }) =>
  ctx.db.tx(async (tx) => {
    const before = await lockInvite(tx, id)
    const row = await deactivateInvite(tx, id, ctx.clock.date())
    if (!before || !row) throw notFound()
    await ctx.announce(tx, inviteManaged, {
      by: viewer?.id ?? null,
      action: 'destroy_invite',
      targetId: id,
      target: row.code,
      before: { expires_at: before.expires_at },
      after: { expires_at: row.expires_at },
    })
    return {}
  }),
)

const Expiry = z.object({
  expires_at: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : new Date(readTime(text)))),
})

export const handleRestoreInvite = handle(restoreInvite, (ctx, _viewer, { targetId, before, after, dry }) =>
  ctx.db.tx(async (tx) => {
    const id = targetId ?? '0'
    const row = await lockInvite(tx, id)
    const outcome = await restore({ schema: Expiry, recorded: { before, after }, row, dry }, async (to) => {
      await setInviteExpiry(tx, id, to?.expires_at ?? null)
    })
    return { outcome }
  }),
)
