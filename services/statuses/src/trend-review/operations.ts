/** Handlers with which staff lists, approves and rejects trends. */
import type {
  AdminTag,
  AdminTrendsLink,
  AdminTrendsStatus,
  Status,
  Tag,
  TrendsLink,
} from '@murmuration/contracts/entities'
import { type Json, jsonArray, type Reply, reply, type Viewer } from '@murmuration/contracts/kit'
import { can } from '@murmuration/contracts/permissions'
import {
  approveTrendLink,
  approveTrendStatus,
  approveTrendTag,
  listTrendLinksForReview,
  listTrendStatusesForReview,
  listTrendTagsForReview,
  rejectTrendLink,
  rejectTrendStatus,
  rejectTrendTag,
} from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { adjacentOffsets, reviewedTexts, type TrendKind, trendPage, trendsForReview } from '../trend/index.js'
import { decideTrend } from './decide.js'

/** Trends for review by staff with permission; the public page for all others (S-061, S-154). */
const reviewPage = async <Admin, Public extends Tag | TrendsLink | Status>(
  ctx: Context,
  kind: TrendKind,
  query: { viewer: Viewer | null; locale: string; limit: number; offset: number },
): Promise<Reply<(Admin | Public)[]>> => {
  const { viewer, locale, ...page } = query
  if (viewer === null || !can(viewer.permissions, 'manage_taxonomies'))
    return trendPage<Public>(ctx, kind, { viewer, locale, ...page })
  const ids = await trendsForReview(ctx.db, kind, page)
  const { next, prev } = adjacentOffsets(page, ids.length)
  const items = (await reviewedTexts(ctx, kind, viewer.id, ids)) as Json<Admin | Public>[]
  return reply(jsonArray(items), {
    next: next === null ? undefined : { offset: String(next) },
    prev: prev === null ? undefined : { offset: String(prev) },
  })
}

export const listTags = handle(listTrendTagsForReview, (ctx, viewer, page, { locale }) =>
  reviewPage<AdminTag, Tag>(ctx, 'tag', { viewer, locale, ...page }),
)
export const listLinks = handle(listTrendLinksForReview, (ctx, viewer, page, { locale }) =>
  reviewPage<AdminTrendsLink, TrendsLink>(ctx, 'link', { viewer, locale, ...page }),
)
export const listStatuses = handle(listTrendStatusesForReview, (ctx, viewer, page, { locale }) =>
  reviewPage<AdminTrendsStatus, Status>(ctx, 'status', { viewer, locale, ...page }),
)

export const approveTag = handle(approveTrendTag, (ctx, viewer, { id }) =>
  decideTrend<AdminTag>(ctx, 'tag', { by: viewer, id, trendable: true }),
)
export const rejectTag = handle(rejectTrendTag, (ctx, viewer, { id }) =>
  decideTrend<AdminTag>(ctx, 'tag', { by: viewer, id, trendable: false }),
)
export const approveLink = handle(approveTrendLink, (ctx, viewer, { id }) =>
  decideTrend<AdminTrendsLink>(ctx, 'link', { by: viewer, id, trendable: true }),
)
export const rejectLink = handle(rejectTrendLink, (ctx, viewer, { id }) =>
  decideTrend<AdminTrendsLink>(ctx, 'link', { by: viewer, id, trendable: false }),
)
export const approveStatus = handle(approveTrendStatus, (ctx, viewer, { id }) =>
  decideTrend<AdminTrendsStatus>(ctx, 'status', { by: viewer, id, trendable: true }),
)
export const rejectStatus = handle(rejectTrendStatus, (ctx, viewer, { id }) =>
  decideTrend<AdminTrendsStatus>(ctx, 'status', { by: viewer, id, trendable: false }),
)
