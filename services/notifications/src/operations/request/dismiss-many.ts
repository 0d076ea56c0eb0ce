/** Removes several requests; unknown ones are ignored. */
import { dismissRequests } from '@murmuration/contracts/notifications'
import { dismiss } from '../../changes/request.js'
import { handle } from '../../doors.js'

export const dismissMany = handle(dismissRequests, async (ctx, viewer, { id = [] }) => {
  await dismiss(ctx, viewer.id, id)
  return {}
})
