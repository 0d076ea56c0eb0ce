/** Handlers of bookmarks. */
import { addBookmark, listBookmarks, removeBookmark } from '@murmuration/contracts/statuses'
import { markedPage } from '../core/render/marked-page.js'
import { showAfterUndo, showStatus } from '../core/render/show-status.js'
import { lockIfNotDeleted } from '../core/status/store.js'
import { findStatus, noStatus, visibleStatus } from '../core/visibility/find-status.js'
import { handle } from '../handlers.js'
import { bookmarksOf, deleteBookmark, insertBookmark } from './store.js'

/** Bookmarks a status; of a boost, the original. */
export const add = handle(addBookmark, async (ctx, viewer, { id }) => {
  const { original } = await visibleStatus(ctx, viewer.id, id)
  await ctx.db.tx(async (tx) => {
    if (!(await lockIfNotDeleted(tx, original.id))) throw noStatus()
    await insertBookmark(tx, ctx.ids.next(), viewer.id, original.id)
  })
  return showStatus(ctx, viewer.id, id)
})

/** Statuses that the viewer bookmarked, latest bookmark first. */
export const list = handle(listBookmarks, async (ctx, viewer, page) =>
  markedPage(ctx, viewer.id, listBookmarks.output, page, await bookmarksOf(ctx.db, viewer.id, page)),
)

/** Removes a bookmark, also from a status that the viewer may no longer see (S-108). */
export const remove = handle(removeBookmark, async (ctx, viewer, { id }) => {
  const found = await findStatus(ctx, viewer.id, id)
  if (!found || !(found.visible || found.original.bookmarked)) throw noStatus()
  const undone = await deleteBookmark(ctx.db, viewer.id, found.original.id)
  if (undone === 0 && !found.visible) throw noStatus()
  return showAfterUndo(ctx, viewer.id, id)
})
