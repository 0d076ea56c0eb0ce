/** Handlers of markers, which remember how far somebody has read. */

import { fail } from '@murmuration/contracts/kit'
import { setMarkers, showMarkers } from '@murmuration/contracts/notifications'
import { handle } from '../handlers.js'
import { isWaitedOut, markersOf, writeMarkers } from './store.js'
import { markersJson } from './view.js'

/** Where the viewer stopped reading, for the timelines that are named; names that are no timeline are ignored. */
export const show = handle(showMarkers, async (ctx, viewer, { timeline = [] }) =>
  markersJson(await markersOf(ctx.db, viewer.id, timeline)),
)

/** Remembers where the viewer stopped reading. */
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
