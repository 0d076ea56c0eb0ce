/** How many notifications are newer than the marker; counting stops at the limit. */
import { unreadCount } from '@murmuration/contracts/notifications'
import { narrowingOf } from '../../domain/narrowing.js'
import { handle } from '../../doors.js'
import { markersOf } from '../../store/marker.js'
import { countNewer } from '../../store/notification.js'

export const unread = handle(unreadCount, async (ctx, viewer, input) => {
  const [marker] = await markersOf(ctx.db, viewer.id, ['notifications'])
  const count = await countNewer(ctx.db, viewer.id, narrowingOf(input), marker?.last_read_id ?? '0', input.limit)
  return { count }
})
