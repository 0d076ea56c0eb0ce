/** Takes a favourite back, also from a status that the viewer may not see any longer (S-108, S-109). */
import { removeFavourite } from '@murmuration/contracts/statuses'
import { unfavourite } from '../../changes/favourite.js'
import { handle } from '../../doors.js'
import { showAfterUndo } from '../../views/status.js'
import { findStatus, noStatus } from '../../views/visible.js'

export const remove = handle(removeFavourite, async (ctx, viewer, { id }) => {
  const found = await findStatus(ctx, viewer.id, id)
  if (!found || !(found.visible || found.proper.favourited)) throw noStatus()
  const { proper } = found
  const status = { id: proper.id, uri: proper.uri, author: proper.author_id, authorLocal: proper.local }
  const undone = await ctx.db.tx((tx) => unfavourite(ctx, tx, status, { id: viewer.id, local: true }))
  if (!undone && !found.visible) throw noStatus()
  return showAfterUndo(ctx, viewer.id, id)
})
