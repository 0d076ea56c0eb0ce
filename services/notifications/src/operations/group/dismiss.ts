/** Removes a group; there may be none. */
import { dismissGroup } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { dismissGroupOf } from '../../store/undone.js'

export const dismiss = handle(dismissGroup, async (ctx, viewer, { group_key }) => {
  await ctx.db.tx((tx) => dismissGroupOf(tx, viewer.id, group_key))
  return {}
})
