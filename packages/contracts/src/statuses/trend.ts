/** What is talked of at the moment: hashtags, links and statuses; and what staff decides about them. */
import { z } from 'zod'
import { Status, Tag, TrendsLink } from '../entities/index.js'
import { get, id, internal, limit, offset, operation, optional, pageOf } from '../kit/index.js'
import { limits } from '../limits.js'

const page = ({ default: usual, max }: { default: number; max: number }) =>
  z.object({ limit: limit(usual, max), offset: offset() })

export const trendTags = operation('statuses.trend.tags', {
  http: [get('/api/v1/trends', '2022-03-30'), get('/api/v1/trends/tags')],
  viewer: optional(),
  cache: 'anonymous',
  input: page(limits.pages.trendsTags),
  output: pageOf(Tag, 'E'),
  about: 'Hashtags that more people use than usual, the most surprising first.',
})

export const trendLinks = operation('statuses.trend.links', {
  http: get('/api/v1/trends/links'),
  viewer: optional(),
  cache: 'anonymous',
  large: true,
  input: page(limits.pages.trendsLinks),
  output: pageOf(TrendsLink, 'E'),
  about: 'Articles that more people share than usual, the most surprising first.',
})

export const trendStatuses = operation('statuses.trend.statuses', {
  http: get('/api/v1/trends/statuses'),
  viewer: optional(),
  cache: 'anonymous',
  large: true,
  input: page(limits.pages.trendsStatuses),
  output: pageOf(Status, 'E'),
  about: 'Statuses that many people like and boost at the moment, the most liked first.',
})

const kind = z.enum(['tag', 'link', 'status'])
/** Account id of the member of staff who looks. */
const by = z.string()
/** JSON text of an AdminTag, AdminTrendsLink or AdminTrendsStatus. */
const item = z.string()

export const trendList = operation('statuses.trend.list', {
  viewer: internal(),
  large: true,
  input: z.object({
    kind,
    by,
    /** Those in these languages come first. */
    languages: z.array(z.string()).max(100).default([]),
    limit: z.int().min(0).max(100),
    offset: z.int().min(0).max(10_000).default(0),
  }),
  output: z.object({ items: z.array(item) }),
  about: 'Everything of a kind that might trend, whether staff looked at it or not, with what they decided.',
})

const decides = (verb: 'approve' | 'reject', about: string) =>
  operation(`statuses.trend.${verb}`, {
    viewer: internal(),
    class: 'write',
    input: z.object({ kind, by, id: id() }),
    output: z.object({ item }),
    errors: ['not_found'],
    about,
  })
export const trendApprove = decides('approve', 'Lets a hashtag, link or status trend; answers it with the decision.')
export const trendReject = decides(
  'reject',
  'Keeps a hashtag, link or status out of trends; answers it with the decision.',
)
