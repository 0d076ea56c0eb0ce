/** Distinct inboxes of the remote followers of an author, by address. */
import { remoteInboxes } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { inboxesOf } from '../../store/audience.js'

export const getInboxes = handle(remoteInboxes, async (ctx, _viewer, { author, after, limit }) => {
  const inboxes = await inboxesOf(ctx.db, author, { after: after ?? '', limit })
  return { inboxes, next: inboxes.length === limit ? (inboxes.at(-1) ?? null) : null }
})
