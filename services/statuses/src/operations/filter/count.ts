/** How many filters a person has to take along. */
import { countFilters } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { countFiltersOf } from '../../store/filter-file.js'

export const count = handle(countFilters, async (ctx, _viewer, { account }) => ({
  filters: await countFiltersOf(ctx.db, account),
}))
