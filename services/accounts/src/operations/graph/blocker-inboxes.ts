/** Distinct inboxes of people elsewhere who block an account, by address. */
import { blockerInboxes } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { inboxesOfBlockers } from '../../store/audience.js'

export const getBlockerInboxes = handle(blockerInboxes, async (ctx, _viewer, { account, after, limit }) => {
  const inboxes = await inboxesOfBlockers(ctx.db, account, { after: after ?? '', limit })
  return { inboxes, next: inboxes.length === limit ? (inboxes.at(-1) ?? null) : null }
})
