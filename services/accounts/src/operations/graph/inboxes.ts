/** Distinct inboxes of the remote followers of an author, by address. */
import { remoteInboxes } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { inboxesOf } from '../../store/audience.js'

export const getInboxes = handle(remoteInboxes, async (ctx, _viewer, { author, unblockedBy, after, limit }) => {
  const found = await inboxesOf(ctx.db, author, { after: after ?? '', limit, unblockedBy })
  return {
    inboxes: found.filter((one) => !one.blocked).map((one) => one.inbox),
    next: found.length === limit ? (found.at(-1)?.inbox ?? null) : null,
  }
})
