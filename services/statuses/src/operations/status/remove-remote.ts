/** The author took a remote status or boost back; remembered, so that a late Create does nothing. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { removeRemoteStatus } from '@murmuration/contracts/statuses'
import { endRemote } from '../../changes/remote-end.js'
import { isOfOrigin } from '../../domain/remote.js'
import { handle } from '../../doors.js'

export const removeRemote = handle(removeRemoteStatus, async (ctx, _viewer, { uri, author }) => {
  const { records } = await ctx.call(accountRecords, { ids: [author] })
  // What is not of the author’s server is not theirs to take back, and leaves no trace that blocks its real author.
  if (!records[0] || !isOfOrigin(uri, records[0].uri)) return { outcome: 'refused' as const }
  return { outcome: await endRemote(ctx, uri, author) }
})
