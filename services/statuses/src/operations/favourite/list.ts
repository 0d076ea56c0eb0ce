/** Statuses the viewer favourited, the latest favourite first. */
import { listFavourites } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { favouritesOf } from '../../store/favourite.js'
import { markedPage } from '../../views/marked.js'

export const list = handle(listFavourites, async (ctx, viewer, page) =>
  markedPage(ctx, viewer.id, listFavourites.output, page, await favouritesOf(ctx.db, viewer.id, page)),
)
