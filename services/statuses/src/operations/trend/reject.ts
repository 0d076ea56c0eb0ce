/** Keeps something out of trends. */
import { trendReject } from '@murmuration/contracts/statuses'
import { decideTrend } from '../../changes/trend-review.js'
import { handle } from '../../doors.js'

export const reject = handle(trendReject, (ctx, _viewer, input) => decideTrend(ctx, input, false))
