/** How many groups have something newer than the marker; counting stops at the limit. */
import { unreadGroups } from '@murmuration/contracts/notifications'
import { narrowingOf } from '../../domain/narrowing.js'
import { groupedTypes } from '../../domain/type.js'
import { handle } from '../../doors.js'
import { countNewerGroups } from '../../store/group.js'
import { markersOf } from '../../store/marker.js'

export const unread = handle(unreadGroups, async (ctx, viewer, input) => {
  const [marker] = await markersOf(ctx.db, viewer.id, ['notifications'])
  const after = marker?.last_read_id ?? '0'
  const grouped = groupedTypes(input.grouped_types)
  return { count: await countNewerGroups(ctx.db, viewer.id, narrowingOf(input), grouped, after, input.limit) }
})
