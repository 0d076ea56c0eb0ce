/** What happened to the viewer, newest first. */
import { pageReply } from '@murmuration/contracts/kit'
import { listNotifications } from '@murmuration/contracts/notifications'
import { endsOf, newestFirst } from '@murmuration/db'
import { narrowingOf } from '../../domain/narrowing.js'
import { handle } from '../../doors.js'
import { notificationPage } from '../../store/notification.js'
import { renderNotifications } from '../../views/notification.js'

export const listThem = handle(listNotifications, async (ctx, viewer, input) => {
  const rows = newestFirst(await notificationPage(ctx.db, viewer.id, narrowingOf(input), input), input)
  const texts = await renderNotifications(ctx, viewer.id, rows, input.supported_types)
  const ids = rows.map((row) => row.id)
  return pageReply(listNotifications.output, [...texts.values()], endsOf(ids, input))
})
