/** One notification. */
import { notFound } from '@murmuration/contracts/kit'
import { showNotification } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { notificationsByIds } from '../../store/notification.js'
import { renderNotifications } from '../../views/notification.js'

export const show = handle(showNotification, async (ctx, viewer, { id, supported_types }) => {
  const rows = await notificationsByIds(ctx.db, viewer.id, [id])
  const text = (await renderNotifications(ctx, viewer.id, rows, supported_types)).get(id)
  if (text === undefined) throw notFound()
  return text
})
