/** Statuses the viewer bookmarked, the latest bookmark first. */
import { listBookmarks } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { bookmarksOf } from '../../store/bookmark.js'
import { markedPage } from '../../views/marked.js'

export const list = handle(listBookmarks, async (ctx, viewer, page) =>
  markedPage(ctx, viewer.id, listBookmarks.output, page, await bookmarksOf(ctx.db, viewer.id, page)),
)
