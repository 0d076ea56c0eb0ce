/** JSON of publishers for staff. */
import type { AdminTrendsPublisher } from '@murmuration/contracts/entities'
import type { PublisherRow } from '../publisher/index.js'

export const publisherOf = (row: PublisherRow): AdminTrendsPublisher => ({
  id: row.id,
  domain: row.domain,
  trendable: row.trendable,
  reviewed_at: row.reviewed_at?.toISOString() ?? null,
  requested_review_at: row.requested_review_at?.toISOString() ?? null,
  requires_review: row.reviewed_at === null,
})
