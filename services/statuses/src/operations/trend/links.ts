/** Articles that trend, those in the viewer’s languages first. */
import type { TrendsLink } from '@murmuration/contracts/entities'
import { trendLinks } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { trendPage } from '../../views/trend.js'

export const links = handle(trendLinks, (ctx, viewer, page, { locale }) =>
  trendPage<TrendsLink>(ctx, 'link', { viewer, locale, ...page }),
)
