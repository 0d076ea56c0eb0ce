/** Notification JSON by id for its recipient, for open connections. */
import { notificationCards } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { notificationsByIds } from '../../store/notification.js'
import { renderNotifications } from '../../views/notification.js'

export const cards = handle(notificationCards, async (ctx, _viewer, { recipient, ids }) =>
  renderNotifications(ctx, recipient, await notificationsByIds(ctx.db, recipient, ids)),
)
