/** Bookmarks a status, for the viewer alone; of a boost, the original. */
import { addBookmark } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { insertBookmark } from '../../store/bookmark.js'
import { holdAlive } from '../../store/status.js'
import { showStatus } from '../../views/status.js'
import { noStatus, visibleStatus } from '../../views/visible.js'

export const add = handle(addBookmark, async (ctx, viewer, { id }) => {
  const { proper } = await visibleStatus(ctx, viewer.id, id)
  await ctx.db.tx(async (tx) => {
    if (!(await holdAlive(tx, proper.id))) throw noStatus()
    await insertBookmark(tx, ctx.ids.next(), viewer.id, proper.id)
  })
  return showStatus(ctx, viewer.id, id)
})
