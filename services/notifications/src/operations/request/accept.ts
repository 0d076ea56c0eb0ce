/** Lets a sender through. */
import { notFound } from '@murmuration/contracts/kit'
import { acceptRequest } from '@murmuration/contracts/notifications'
import { accept } from '../../changes/request.js'
import { handle } from '../../doors.js'

export const acceptOne = handle(acceptRequest, async (ctx, viewer, { id }) => {
  if ((await accept(ctx, viewer.id, [id])) === 0) throw notFound()
  return {}
})
