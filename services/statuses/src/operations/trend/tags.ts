/** Hashtags that trend, those in the viewer’s languages first. */
import type { Tag } from '@murmuration/contracts/entities'
import { trendTags } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { trendPage } from '../../views/trend.js'

export const tags = handle(trendTags, (ctx, viewer, page, { locale }) =>
  trendPage<Tag>(ctx, 'tag', { viewer, locale, ...page }),
)
