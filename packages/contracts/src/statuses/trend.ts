/** Trending hashtags, links and statuses, as everyone sees them. */
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

export const trendReviewWanted = event('statuses.trend.review-wanted', {
  data: z.object({
    id: z.string(),
    /** How many of each kind would trend and were not asked about before. */
    tags: z.int(),
    links: z.int(),
    statuses: z.int(),
  }),
  about: 'Staff is asked to decide what may trend.',
})
