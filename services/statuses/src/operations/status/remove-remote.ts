/** The author took a remote status or boost back. */
import { removeRemoteStatus, statusHint } from '@murmuration/contracts/statuses'
import { removeStatus } from '../../changes/remove.js'
import { handle } from '../../doors.js'
import { holdForChange, idsByUri, rowOf } from '../../store/status.js'
import { bury } from '../../store/tombstone.js'

export const removeRemote = handle(removeRemoteStatus, async (ctx, _viewer, { uri, author }) => {
  const id = (await idsByUri(ctx.db, [uri])).get(uri)
  const row = id ? await rowOf(ctx.db, id) : null
  if (row && (row.author_id !== author || row.local)) return { outcome: 'refused' as const }
  const removed = await ctx.db.tx(async (tx) => {
    // Remembered also when it is not here yet: its Create may still be on its way.
    await bury(tx, author, [uri])
    if (!row || !(await holdForChange(tx, row.id, author))) return false
    await removeStatus(ctx, tx, row)
    return true
  })
  if (removed && row) ctx.hints.send(statusHint, [row.id])
  return { outcome: removed ? ('removed' as const) : ('unknown' as const) }
})
