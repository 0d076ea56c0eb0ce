/** Removes a request and the notifications that it holds. */
import { notFound } from '@murmuration/contracts/kit'
import { dismissRequest } from '@murmuration/contracts/notifications'
import { dismiss } from '../../changes/request.js'
import { handle } from '../../doors.js'

export const dismissOne = handle(dismissRequest, async (ctx, viewer, { id }) => {
  if ((await dismiss(ctx, viewer.id, [id])) === 0) throw notFound()
  return {}
})
