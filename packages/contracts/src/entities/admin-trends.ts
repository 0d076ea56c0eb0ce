/** Schemas of trending tags, links and statuses with the decisions of staff. */
import { z } from 'zod'
import { trendsLinkShape } from './preview-card.js'
import { Id, Timestamp } from './primitive.js'
import { statusShape } from './status.js'
import { tagShape } from './tag.js'

/** A hashtag for staff. It is always a stored hashtag, so `id` is never empty. */
export const AdminTag = z
  .strictObject({
    ...tagShape,
    id: Id,
    trendable: z.boolean(),
    usable: z.boolean(),
    listable: z.boolean(),
    requires_review: z.boolean(),
  })
  .meta({ id: 'AdminTag', description: 'A hashtag with the decisions of staff.' })
export type AdminTag = z.infer<typeof AdminTag>

export const AdminTrendsLink = z
  .strictObject({ ...trendsLinkShape, id: Id, requires_review: z.boolean() })
  .meta({ id: 'AdminTrendsLink', description: 'A trending link, for review.' })
export type AdminTrendsLink = z.infer<typeof AdminTrendsLink>

export const AdminTrendsStatus = z
  .strictObject({ ...statusShape, requires_review: z.boolean() })
  .meta({ id: 'AdminTrendsStatus', description: 'A trending status, for review.' })
export type AdminTrendsStatus = z.infer<typeof AdminTrendsStatus>

/** A publisher of trending links. `trendable` is null before a decision of staff. The decision applies to all links of `domain`. */
export const AdminTrendsPublisher = z
  .strictObject({
    id: Id,
    domain: z.string().min(1),
    trendable: z.boolean().nullable(),
    reviewed_at: Timestamp.nullable(),
    requested_review_at: Timestamp.nullable(),
    requires_review: z.boolean(),
  })
  .meta({ id: 'AdminTrendsPublisher', description: 'A site whose links trend, for review.' })
export type AdminTrendsPublisher = z.infer<typeof AdminTrendsPublisher>
