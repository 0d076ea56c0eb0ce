/** Returns notification JSON by id to the stream of its recipient. */
import { fail } from '@murmuration/contracts/kit'
import { notificationCards } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { notificationsByIds } from '../../store/notification.js'
import { renderNotifications } from '../../views/notification.js'

export const cards = handle(notificationCards, async (ctx, _viewer, { recipient, ids, grant }) => {
  if (!ctx.streamGrants.allows(recipient, grant ?? '')) throw fail('forbidden', 'This action is not allowed')
  return renderNotifications(ctx, recipient, await notificationsByIds(ctx.db, recipient, ids))
})
