/**
 * Operations that return statistics for the staff dashboard: measures by day, dimensions, and retention of new
 * accounts.
 */
import { z } from 'zod'
import { AdminCohort, AdminDimension, AdminMeasure } from '../entities/index.js'
import { flagOr, id, limit, list, operation, post, text, user } from '../kit/index.js'

const reads = user('admin:read', { permission: 'view_dashboard' })

/** A time of which only the UTC day counts. */
const moment = () => z.union([z.null(), text(100)]).optional()
const keys = list(text(100), 50).optional()

const ofTag = z.object({ id: id() }).partial().optional()
const ofDomain = z
  .object({ domain: text(255), include_subdomains: flagOr(false) })
  .partial()
  .optional()

export const readMeasures = operation('admin.measure.read', {
  http: post('/api/v1/admin/measures'),
  viewer: reads,
  class: 'admin',
  repeatable: true,
  input: z.object({
    keys,
    start_at: moment(),
    end_at: moment(),
    tag_accounts: ofTag,
    tag_uses: ofTag,
    tag_servers: ofTag,
    instance_accounts: ofDomain,
    instance_media_attachments: ofDomain,
    instance_reports: ofDomain,
    instance_statuses: ofDomain,
    instance_follows: ofDomain,
    instance_followers: ofDomain,
  }),
  output: z.array(AdminMeasure),
  errors: ['invalid', 'not_found', 'unprocessable'],
  about: 'Numbers by day over a period of at most two years, with the sum of the period before. Skips unknown keys.',
})

export const readDimensions = operation('admin.dimension.read', {
  http: post('/api/v1/admin/dimensions'),
  viewer: reads,
  class: 'admin',
  repeatable: true,
  input: z.object({
    keys,
    start_at: moment(),
    end_at: moment(),
    limit: limit(10, 100),
    tag_servers: ofTag,
    tag_languages: ofTag,
    instance_accounts: ofDomain,
    instance_languages: ofDomain,
  }),
  output: z.array(AdminDimension),
  errors: ['invalid', 'not_found', 'unprocessable'],
  about:
    'Numbers of a period of at most two years split by kind, the largest first; the last 30 days unless asked otherwise. `servers` counts the last 92 days of a period. Skips unknown keys.',
})

export const readRetention = operation('admin.retention.read', {
  http: post('/api/v1/admin/retention'),
  viewer: reads,
  class: 'admin',
  repeatable: true,
  input: z.object({
    start_at: moment(),
    end_at: moment(),
    /** Length of the periods. `month`; any other value means `day`. */
    frequency: z.union([z.null(), text(50)]).optional(),
  }),
  output: z.array(AdminCohort),
  errors: ['invalid', 'unprocessable'],
  about: 'Users by the day or month they joined, with the share of them active since; at most 31 days or 12 months.',
})
