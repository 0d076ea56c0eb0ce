/** Who asks to follow the viewer, newest first. */
import { followRequestList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { requestersOf } from '../../store/follow.js'
import { peoplePage } from '../../views/people-page.js'

export const listFollowRequests = handle(followRequestList, async (ctx, viewer, page) =>
  peoplePage(ctx, followRequestList.output, page, await requestersOf(ctx.db, viewer.id, page)),
)
