/** Statuses of the viewer that wait for their time. */
import { pageReply } from '@murmuration/contracts/kit'
import { listScheduled } from '@murmuration/contracts/statuses'
import { endsOf } from '@murmuration/db'
import { handle } from '../../doors.js'
import { scheduledPage } from '../../store/scheduled.js'
import { scheduledTexts } from '../../views/scheduled.js'

export const list = handle(listScheduled, async (ctx, viewer, page) => {
  const rows = await scheduledPage(ctx.db, viewer.id, page)
  const ends = endsOf(
    rows.map((row) => row.id),
    page,
  )
  return pageReply(listScheduled.output, await scheduledTexts(ctx, rows), ends)
})
