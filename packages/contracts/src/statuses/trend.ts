/** Operations that return trending hashtags, links and statuses to all clients, and an event about trends to review. */
import { z } from 'zod'
import { Status, Tag, TrendsLink } from '../entities/index.js'
import { event, get, limit, offset, operation, optional, pageOf } from '../kit/index.js'
import { limits } from '../limits.js'

const page = ({ default: usual, max }: { default: number; max: number }) =>
  z.object({ limit: limit(usual, max), offset: offset() })

export const trendTags = operation('statuses.trend.tags', {
  http: [get('/api/v1/trends', '2022-03-30'), get('/api/v1/trends/tags')],
  viewer: optional(),
  cache: 'anonymous',
  input: page(limits.pages.trendsTags),
  output: pageOf(Tag, 'offset'),
  errors: ['unavailable'],
  about: 'Hashtags that are used by more accounts than usual, highest score first.',
})

export const trendLinks = operation('statuses.trend.links', {
  http: get('/api/v1/trends/links'),
  viewer: optional(),
  cache: 'anonymous',
  large: true,
  input: page(limits.pages.trendsLinks),
  output: pageOf(TrendsLink, 'offset'),
  errors: ['unavailable'],
  about: 'Links that are shared by more accounts than usual, highest score first.',
})

export const trendStatuses = operation('statuses.trend.statuses', {
  http: get('/api/v1/trends/statuses'),
  viewer: optional(),
  cache: 'anonymous',
  large: true,
  input: page(limits.pages.trendsStatuses),
  output: pageOf(Status, 'offset'),
  errors: ['unavailable'],
  about: 'Statuses with many recent favourites and boosts, highest score first.',
})

export const trendReviewWanted = event('statuses.trend.review-wanted', {
  data: z.object({
    id: z.string(),
    /**
     * Number of hashtags that wait for a review and that no earlier event counted. The next members count links and
     * statuses in the same way.
     */
    tags: z.int(),
    links: z.int(),
    statuses: z.int(),
  }),
  about: 'Trends wait for the review of staff.',
})
