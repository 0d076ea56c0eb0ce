/** Handlers of trends. */
import type { Status, Tag, TrendsLink } from '@murmuration/contracts/entities'
import { trendLinks, trendStatuses, trendTags } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { trendPage } from './page.js'

/** Trending statuses, those in the viewer's languages first. */
export const statuses = handle(trendStatuses, (ctx, viewer, page, { locale }) =>
  trendPage<Status>(ctx, 'status', { viewer, locale, ...page }),
)

/** Trending hashtags, those in the viewer's languages first. */
export const tags = handle(trendTags, (ctx, viewer, page, { locale }) =>
  trendPage<Tag>(ctx, 'tag', { viewer, locale, ...page }),
)

/** Trending links, those in the viewer's languages first. */
export const links = handle(trendLinks, (ctx, viewer, page, { locale }) =>
  trendPage<TrendsLink>(ctx, 'link', { viewer, locale, ...page }),
)
