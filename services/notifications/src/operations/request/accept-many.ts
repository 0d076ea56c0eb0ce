/** Lets several senders through; unknown requests are ignored. */
import { acceptRequests } from '@murmuration/contracts/notifications'
import { accept } from '../../changes/request.js'
import { handle } from '../../doors.js'

export const acceptMany = handle(acceptRequests, async (ctx, viewer, { id = [] }) => {
  await accept(ctx, viewer.id, id)
  return {}
})
