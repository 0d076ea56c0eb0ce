/** Lets something trend. */
import { trendApprove } from '@murmuration/contracts/statuses'
import { decideTrend } from '../../changes/trend-review.js'
import { handle } from '../../doors.js'

export const approve = handle(trendApprove, (ctx, _viewer, input) => decideTrend(ctx, input, true))
