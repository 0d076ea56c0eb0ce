/** Answers that everybody may see, for the collection of replies of a status. */
import { repliesPage } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { openReplies } from '../../store/thread.js'

export const replies = handle(repliesPage, (ctx, _viewer, { status, author, own, after, limit }) =>
  openReplies(ctx.db, status, { author, own, after, limit }),
)
