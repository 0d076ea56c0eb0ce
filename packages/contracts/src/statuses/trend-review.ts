/** Operations with which staff reviews trends: candidates of each kind, and decisions. */
import { z } from 'zod'
import {
  AdminTag,
  AdminTrendsLink,
  AdminTrendsPublisher,
  AdminTrendsStatus,
  Status,
  Tag,
  TrendsLink,
} from '../entities/index.js'
import { get, id, internal, limit, offset, operation, optional, pageFields, pageOf, post, user } from '../kit/index.js'
import { limits } from '../limits.js'

/** Callers without the permission `manage_taxonomies` get the lists of trends that all clients get, in their public form (S-061, S-154). */
const reads = optional('admin:read')
const may = { permission: 'manage_taxonomies' }
const writes = user('admin:write', may)

const page = ({ default: usual, max }: { default: number; max: number }) =>
  z.object({ limit: limit(usual, max), offset: offset() })

export const listTrendTagsForReview = operation('statuses.trend-review.tags', {
  http: get('/api/v1/admin/trends/tags'),
  viewer: reads,
  class: 'admin',
  input: page(limits.pages.trendsTags),
  output: pageOf(z.union([AdminTag, Tag]), 'offset'),
  about:
    'Candidates for trending hashtags, reviewed or not, for staff with `manage_taxonomies`. Other callers get the public list.',
})

export const listTrendLinksForReview = operation('statuses.trend-review.links', {
  http: get('/api/v1/admin/trends/links'),
  viewer: reads,
  class: 'admin',
  large: true,
  input: page(limits.pages.trendsLinks),
  output: pageOf(z.union([AdminTrendsLink, TrendsLink]), 'offset'),
  about:
    'Candidates for trending links, reviewed or not, for staff with `manage_taxonomies`. Other callers get the public list.',
})

export const listTrendStatusesForReview = operation('statuses.trend-review.statuses', {
  http: get('/api/v1/admin/trends/statuses'),
  viewer: reads,
  class: 'admin',
  large: true,
  input: page(limits.pages.trendsStatuses),
  output: pageOf(z.union([AdminTrendsStatus, Status]), 'offset'),
  about:
    'Candidates for trending statuses, reviewed or not, for staff with `manage_taxonomies`. Other callers get the public list.',
})

const decision = <S extends z.ZodType>(
  path: string,
  noun: string,
  verb: 'approve' | 'reject',
  output: S,
  about: string,
) =>
  operation(`statuses.trend-review.${verb}-${noun}`, {
    http: post(`/api/v1/admin/trends/${path}/:id/${verb}`),
    viewer: writes,
    class: 'admin',
    input: z.object({ id: id() }),
    output,
    errors: ['not_found'],
    about,
  })

export const approveTrendTag = decision('tags', 'tag', 'approve', AdminTag, 'Approves a hashtag for trends.')
export const rejectTrendTag = decision('tags', 'tag', 'reject', AdminTag, 'Rejects a hashtag for trends.')
export const approveTrendLink = decision('links', 'link', 'approve', AdminTrendsLink, 'Approves a link for trends.')
export const rejectTrendLink = decision('links', 'link', 'reject', AdminTrendsLink, 'Rejects a link for trends.')
export const approveTrendStatus = decision(
  'statuses',
  'status',
  'approve',
  AdminTrendsStatus,
  'Approves a status for trends.',
)
export const rejectTrendStatus = decision(
  'statuses',
  'status',
  'reject',
  AdminTrendsStatus,
  'Rejects a status for trends.',
)

export const listTrendPublishers = operation('statuses.publisher.list', {
  http: get('/api/v1/admin/trends/links/publishers'),
  viewer: user('admin:read', may),
  class: 'admin',
  input: z.object(pageFields(limits.pages.admin.default, limits.pages.admin.max)),
  output: pageOf(AdminTrendsPublisher, 'list'),
  about: 'Sites with trending links, newest first.',
})

const decisionAboutPublisher = (verb: 'approve' | 'reject', about: string) =>
  operation(`statuses.publisher.${verb}`, {
    http: post(`/api/v1/admin/trends/links/publishers/:id/${verb}`),
    viewer: writes,
    class: 'admin',
    input: z.object({ id: id() }),
    output: AdminTrendsPublisher,
    errors: ['not_found'],
    about,
  })

export const approveTrendPublisher = decisionAboutPublisher(
  'approve',
  'Approves links of a site and its subdomains for trends, except links that were rejected individually.',
)
export const rejectTrendPublisher = decisionAboutPublisher(
  'reject',
  'Rejects links of a site and its subdomains for trends, except links that were approved individually.',
)

export const undecidedTrends = operation('statuses.trend-review.undecided', {
  viewer: internal(),
  input: z.object({ kind: z.enum(['tag', 'link', 'status']), limit: z.int().min(1).max(20_000) }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Ids of trends without a decision of staff, by rank.',
})

export const decideTrends = operation('statuses.trend-review.decide-all', {
  viewer: internal(),
  class: 'write',
  repeatable: true,
  input: z.object({
    kind: z.enum(['tag', 'link', 'status']),
    ids: z.array(z.string()).max(1_000),
    trendable: z.boolean(),
    /** Account id of the staff member; null for operators. */
    by: z.string().nullable(),
    /** Id of the bulk action. The next member is the reason that staff entered. */
    batchId: z.string(),
    reason: z.string().nullable(),
    /** True: only reports what would change. */
    dry: z.boolean(),
  }),
  output: z.object({
    /** Items that exist. `target` is a text that identifies the item for staff. */
    items: z.array(z.object({ id: z.string(), target: z.string(), changed: z.boolean() })),
  }),
  about: 'Approves or rejects several trends. Items that have this decision already do not change.',
})
