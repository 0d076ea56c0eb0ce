/** Counts for NodeInfo and the instance document. */
import { statusFigures } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { countLocal } from '../../store/figure.js'

export const figures = handle(statusFigures, (ctx) => countLocal(ctx.db))
