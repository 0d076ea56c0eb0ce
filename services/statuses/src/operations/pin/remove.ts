/** Takes a status off the top of one’s profile. */
import { removePin } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { deletePin } from '../../store/pin.js'
import { showStatus } from '../../views/status.js'
import { visibleStatus } from '../../views/visible.js'

export const remove = handle(removePin, async (ctx, viewer, { id }) => {
  await visibleStatus(ctx, viewer.id, id)
  await deletePin(ctx.db, viewer.id, id)
  return showStatus(ctx, viewer.id, id)
})
