/** Senders who wait for a decision, newest first. */
import { pageReply } from '@murmuration/contracts/kit'
import { listRequests } from '@murmuration/contracts/notifications'
import { endsOf, newestFirst } from '@murmuration/db'
import { handle } from '../../doors.js'
import { requestPage } from '../../store/request.js'
import { renderRequests } from '../../views/request.js'

export const listThem = handle(listRequests, async (ctx, viewer, page) => {
  const rows = newestFirst(await requestPage(ctx.db, viewer.id, page), page)
  const ids = rows.map((row) => row.id)
  return pageReply(listRequests.output, await renderRequests(ctx, viewer.id, rows), endsOf(ids, page))
})
