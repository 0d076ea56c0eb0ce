/** Operations, events and jobs about scheduled statuses: showing, moving, removing and publishing them. */
import { z } from 'zod'
import { ScheduledStatus } from '../entities/index.js'
import { del, event, get, id, job, knownOr, operation, page, pageOf, put, textOrNone, user } from '../kit/index.js'

const one = z.object({ id: id() })

export const listScheduled = operation('statuses.scheduled.list', {
  http: get('/api/v1/scheduled_statuses'),
  viewer: user('read|read:statuses'),
  input: page(),
  output: pageOf(ScheduledStatus, 'list'),
  about: 'Scheduled statuses of the viewer.',
})
export const showScheduled = operation('statuses.scheduled.show', {
  http: get('/api/v1/scheduled_statuses/:id'),
  viewer: user('read|read:statuses'),
  input: one,
  output: ScheduledStatus,
  errors: ['not_found'],
  about: 'One scheduled status of the viewer.',
})
export const moveScheduled = operation('statuses.scheduled.move', {
  http: put('/api/v1/scheduled_statuses/:id'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id(), scheduled_at: textOrNone(100).optional() }),
  output: ScheduledStatus,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes the time of a scheduled status.',
})
export const removeScheduled = operation('statuses.scheduled.remove', {
  http: del('/api/v1/scheduled_statuses/:id'),
  viewer: user('write|write:statuses'),
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Deletes a scheduled status.',
})

export const scheduledFailed = event('statuses.scheduled.failed', {
  data: z.object({
    id: z.string(),
    account: z.string(),
    /** Reason why the publication failed. `quote`: the quoted status is deleted or may not be quoted. */
    reason: knownOr(z.enum(['quote', 'other']), 'other'),
    /** ISO 8601: time for which the publication was scheduled. */
    scheduledAt: z.string(),
  }),
  about: 'A scheduled status could not be published. It stays in the list of its author.',
})

export const publishScheduled = job('statuses.publish-scheduled', {
  data: z.object({
    id: z.string(),
    /** True: an operator restored the job, so the status is published although it is marked as failed. */
    restored: z.boolean().optional(),
  }),
  // The job is retried for more than an hour, because another service may be unavailable.
  retry: { delays: [1, 5, 30, 120, 600], times: 12 },
  about: 'Publishes a scheduled status that is due.',
})
