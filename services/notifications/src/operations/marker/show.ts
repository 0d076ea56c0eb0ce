/** Where the viewer stopped reading, for the timelines that are named; names that are no timeline are ignored. */
import { showMarkers } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { markersOf } from '../../store/marker.js'
import { markersJson } from '../../views/marker.js'

export const show = handle(showMarkers, async (ctx, viewer, { timeline = [] }) =>
  markersJson(await markersOf(ctx.db, viewer.id, timeline)),
)
