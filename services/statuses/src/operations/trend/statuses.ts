/** Statuses that trend, those in the viewer’s languages first. */
import type { Status } from '@murmuration/contracts/entities'
import { trendStatuses } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { trendPage } from '../../views/trend.js'

export const statuses = handle(trendStatuses, (ctx, viewer, page, { locale }) =>
  trendPage<Status>(ctx, 'status', { viewer, locale, ...page }),
)
