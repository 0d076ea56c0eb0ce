/** Takes a boost back, also of a status that the viewer may not see any longer (S-108). The answer is the original. */
import { removeReblog, statusHint } from '@murmuration/contracts/statuses'
import { removeStatus } from '../../changes/remove.js'
import { handle } from '../../doors.js'
import { reblogOf } from '../../store/reblog.js'
import { holdForChange, rowOf } from '../../store/status.js'
import { showAfterUndo } from '../../views/status.js'
import { findStatus, noStatus } from '../../views/visible.js'

export const remove = handle(removeReblog, async (ctx, viewer, { id }) => {
  const found = await findStatus(ctx, viewer.id, id)
  if (!found || !(found.visible || found.proper.reblogged)) throw noStatus()
  const known = await reblogOf(ctx.db, viewer.id, found.proper.id)
  const row = known && (await rowOf(ctx.db, known.reblog_id))
  if (row) {
    await ctx.db.tx(async (tx) => {
      if (await holdForChange(tx, row.id, viewer.id)) await removeStatus(ctx, tx, row)
    })
    ctx.hints.send(statusHint, [row.id])
  } else if (!found.visible) throw noStatus()
  return showAfterUndo(ctx, viewer.id, found.proper.id)
})
