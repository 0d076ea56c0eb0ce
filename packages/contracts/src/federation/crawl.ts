/** Operations about crawls: tasks that fetch statistics of known servers and of their peers. */
import { z } from 'zod'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from '../admin/staff.js'
import { flagOr, get, id, int, operation, post, textOrNone } from '../kit/index.js'
import { Task } from '../task.js'

/** Number of servers that a crawl visits at once: the default, and the maximum that staff can choose. */
export const CRAWL_CONCURRENCY = { default: 16, max: 64 } as const

const number = z.int().nullable()

export const CrawledServer = z
  .strictObject({
    id: z.string(),
    domain: z.string(),
    /** State of a server in the crawl. A `blocked` server is not contacted. */
    state: z.enum(['waiting', 'visited', 'failed', 'blocked']),
    software: z.string().nullable(),
    version: z.string().nullable(),
    users: number,
    statuses: number,
    /** Number of users that signed in during the last full week. */
    active_week: number,
    /** Number of registrations in the last full week. */
    joined_week: number,
  })
  .meta({ id: 'CrawledServer', description: 'A server that a crawl found. Numbers are as the server states them.' })
export type CrawledServer = z.infer<typeof CrawledServer>

export const CrawlSummary = z
  .strictObject({
    task: Task,
    /** Number of servers that the crawl has not visited yet. The next members are the numbers of servers in the other states. */
    waiting: z.int(),
    visited: z.int(),
    failed: z.int(),
    blocked: z.int(),
    /** Number of users of all visited servers together. The next members are sums over the visited servers, too. */
    users: z.int(),
    statuses: z.int(),
    active_week: z.int(),
    joined_week: z.int(),
  })
  .meta({ id: 'CrawlSummary', description: 'Results of a crawl so far.' })
export type CrawlSummary = z.infer<typeof CrawlSummary>

export const startCrawl = operation('federation.crawl.start', {
  http: post(`${STAFF_PREFIX}/federation/crawls`),
  viewer: staffWrites('manage_federation'),
  class: 'admin',
  input: z.object({
    /** Domain of the server at which the crawl starts. If absent, the crawl starts at all known servers. */
    domain: textOrNone(255).optional(),
    concurrency: int().pipe(z.int().min(1).max(CRAWL_CONCURRENCY.max)).default(CRAWL_CONCURRENCY.default),
    /** True: suspended servers are left out of the result of the crawl. */
    exclude_suspended: flagOr(false),
  }),
  output: Task,
  errors: ['unprocessable'],
  about: 'Starts a task that fetches statistics and the peers of known servers, and then those of the peers.',
})

export const showCrawl = operation('federation.crawl.show', {
  http: get(`${STAFF_PREFIX}/federation/crawls/:id`),
  viewer: staffReads('manage_federation'),
  class: 'admin',
  input: z.object({ id: id() }),
  output: CrawlSummary,
  errors: ['not_found'],
  about: 'Sums and progress of a crawl. Results are kept for 90 days.',
})

export const listCrawledServers = operation('federation.crawl.list-servers', {
  http: get(`${STAFF_PREFIX}/federation/crawls/:id/servers`),
  viewer: staffReads('manage_federation'),
  class: 'admin',
  input: z.object({ id: id(), ...staffPage() }),
  output: staffPageOf(CrawledServer),
  errors: ['not_found'],
  about: 'Servers that a crawl found, last found first.',
})
