/** Every keyword of every filter of the viewer, in the older form (S-110). */
import { listV1Filters } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { filtersOf } from '../../store/filter.js'
import { v1FilterShown } from '../../views/filter.js'

export const list = handle(listV1Filters, async (ctx, viewer) =>
  (await filtersOf(ctx.db, viewer.id)).flatMap((filter) =>
    filter.keywords.map((keyword) => v1FilterShown(filter, keyword)),
  ),
)
