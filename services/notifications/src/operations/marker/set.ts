/** Remembers where the viewer stopped reading. */
import { fail } from '@murmuration/contracts/kit'
import { setMarkers } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { isWaitedOut, writeMarkers } from '../../store/marker.js'
import { markersJson } from '../../views/marker.js'

export const set = handle(setMarkers, async (ctx, viewer, input) => {
  const positions = (['home', 'notifications'] as const).flatMap((timeline) => {
    const given = input[timeline]
    return given && given.last_read_id !== undefined ? [{ timeline, id: given.last_read_id }] : []
  })
  if (positions.length === 0) return {}
  const rows = await ctx.db
    .tx((tx) => writeMarkers(tx, viewer.id, positions, ctx.clock.date()))
    .catch((error: unknown) => {
      throw isWaitedOut(error)
        ? fail('conflict', 'Conflict during update, please try again', { cause: error, retryAfter: 1 })
        : error
    })
  return markersJson(rows)
})
