/** How much was written here, week by week. */
import { statusesByWeek } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { weeksOfStatuses } from '../../store/figure.js'

export const byWeek = handle(statusesByWeek, async (ctx, _viewer, { mondays }) => ({
  counts: await weeksOfStatuses(ctx.db, mondays),
}))
