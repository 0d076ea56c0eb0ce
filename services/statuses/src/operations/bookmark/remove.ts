/** Removes a bookmark, also from a status that the viewer may not see any longer (S-108). */
import { removeBookmark } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { deleteBookmark } from '../../store/bookmark.js'
import { showAfterUndo } from '../../views/status.js'
import { findStatus, noStatus } from '../../views/visible.js'

export const remove = handle(removeBookmark, async (ctx, viewer, { id }) => {
  const found = await findStatus(ctx, viewer.id, id)
  if (!found || !(found.visible || found.proper.bookmarked)) throw noStatus()
  const undone = await deleteBookmark(ctx.db, viewer.id, found.proper.id)
  if (undone === 0 && !found.visible) throw noStatus()
  return showAfterUndo(ctx, viewer.id, id)
})
