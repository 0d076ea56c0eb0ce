/** Removes all notifications of the viewer. */
import { clearNotifications } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { clearAll } from '../../store/undone.js'

export const clear = handle(clearNotifications, async (ctx, viewer) => {
  await ctx.db.tx((tx) => clearAll(tx, viewer.id))
  return {}
})
