/** Every filter of the viewer, with keywords and statuses (S-111). */
import { listFilters } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { filtersOf } from '../../store/filter.js'
import { filterShown } from '../../views/filter.js'

export const list = handle(listFilters, async (ctx, viewer) => (await filtersOf(ctx.db, viewer.id)).map(filterShown))
