/** Handlers of markers: the last read position of an account per timeline. */

import { fail } from '@murmuration/contracts/kit'
import { setMarkers, showMarkers } from '@murmuration/contracts/notifications'
import { handle } from '../handlers.js'
import { isLockTimeout, markersOf, writeMarkers } from './store.js'
import { markersJson } from './view.js'

/** The markers of the viewer for the named timelines. Unknown names are ignored. */
export const show = handle(showMarkers, async (ctx, viewer, { timeline = [] }) =>
  markersJson(await markersOf(ctx.db, viewer.id, timeline)),
)

/** Sets markers of the viewer. Responds 409 if another request locks the same marker for too long. */
export const set = handle(setMarkers, async (ctx, viewer, input) => {
  const positions = (['home', 'notifications'] as const).flatMap((timeline) => {
    const given = input[timeline]
    return given && given.last_read_id !== undefined ? [{ timeline, id: given.last_read_id }] : []
  })
  if (positions.length === 0) return {}
  const rows = await ctx.db
    .tx((tx) => writeMarkers(tx, viewer.id, positions, ctx.clock.date()))
    .catch((error: unknown) => {
      throw isLockTimeout(error)
        ? fail('conflict', 'Conflict during update, please try again', { cause: error, retryAfter: 1 })
        : error
    })
  return markersJson(rows)
})
