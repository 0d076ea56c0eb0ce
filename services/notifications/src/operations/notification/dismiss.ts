/** Removes one notification. */
import { notFound } from '@murmuration/contracts/kit'
import { dismissNotification } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { dismissOne } from '../../store/undone.js'

export const dismiss = handle(dismissNotification, async (ctx, viewer, { id }) => {
  if ((await ctx.db.tx((tx) => dismissOne(tx, viewer.id, id))) === 0) throw notFound()
  return {}
})
