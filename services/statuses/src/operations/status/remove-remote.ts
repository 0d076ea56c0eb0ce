/** The author took a remote status or boost back; remembered, so that a late Create does nothing. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { removeRemoteStatus, statusHint } from '@murmuration/contracts/statuses'
import { removeStatus } from '../../changes/remove.js'
import { isOfOrigin } from '../../domain/remote.js'
import { handle } from '../../doors.js'
import { holdForChange, idsByUri, rowsOf } from '../../store/status.js'
import { bury, lockUri } from '../../store/tombstone.js'

export const removeRemote = handle(removeRemoteStatus, async (ctx, _viewer, { uri, author }) => {
  const { records } = await ctx.call(accountRecords, { ids: [author] })
  // What is not of the author’s server is not theirs to take back, and leaves no trace that blocks its real author.
  if (!records[0] || !isOfOrigin(uri, records[0].uri)) return { outcome: 'refused' as const }
  const outcome = await ctx.db.tx(async (tx) => {
    await lockUri(tx, uri)
    const id = (await idsByUri(tx, [uri])).get(uri)
    const row = id === undefined ? undefined : (await rowsOf(tx, [id])).get(id)
    if (row && (row.author_id !== author || row.local)) return 'refused' as const
    await bury(tx, author, [uri])
    if (!row || !(await holdForChange(tx, row.id, author))) return 'unknown' as const
    await removeStatus(ctx, tx, row)
    return 'removed' as const
  })
  if (outcome === 'removed') {
    const id = (await idsByUri(ctx.db, [uri])).get(uri)
    if (id !== undefined) ctx.hints.send(statusHint, [id])
  }
  return { outcome }
})
