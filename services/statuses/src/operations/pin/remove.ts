/** Takes a status off the top of one’s profile. */
import { removePin, statusUnpinned } from '@murmuration/contracts/statuses'
import { visibilityOf } from '../../domain/visibility.js'
import { handle } from '../../doors.js'
import { deletePin } from '../../store/pin.js'
import { rowOf } from '../../store/status.js'
import { showStatus } from '../../views/status.js'
import { visibleStatus } from '../../views/visible.js'

export const remove = handle(removePin, async (ctx, viewer, { id }) => {
  await visibleStatus(ctx, viewer.id, id)
  const row = await rowOf(ctx.db, id)
  await ctx.db.tx(async (tx) => {
    const pin = await deletePin(tx, viewer.id, id)
    if (pin === null || row === null) return
    const visibility = visibilityOf(row.visibility)
    await ctx.announce(tx, statusUnpinned, { id: pin, account: viewer.id, status: id, uri: row.uri, visibility })
  })
  return showStatus(ctx, viewer.id, id)
})
