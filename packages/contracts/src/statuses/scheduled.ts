/** Scheduled statuses: showing, moving, removing and publishing them. */
import { z } from 'zod'
import { ScheduledStatus } from '../entities/index.js'
import { del, event, get, id, job, operation, page, pageOf, put, textOrNone, user } from '../kit/index.js'

const one = z.object({ id: id() })

export const listScheduled = operation('statuses.scheduled.list', {
  http: get('/api/v1/scheduled_statuses'),
  viewer: user('read|read:statuses'),
  input: page(),
  output: pageOf(ScheduledStatus, 'C'),
  about: 'Statuses of the viewer that wait for their time.',
})
export const showScheduled = operation('statuses.scheduled.show', {
  http: get('/api/v1/scheduled_statuses/:id'),
  viewer: user('read|read:statuses'),
  input: one,
  output: ScheduledStatus,
  errors: ['not_found'],
  about: 'One status of the viewer that waits for its time.',
})
export const moveScheduled = operation('statuses.scheduled.move', {
  http: put('/api/v1/scheduled_statuses/:id'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id(), scheduled_at: textOrNone(100).optional() }),
  output: ScheduledStatus,
  errors: ['not_found', 'unprocessable'],
  about: 'Gives a waiting status another time.',
})
export const removeScheduled = operation('statuses.scheduled.remove', {
  http: del('/api/v1/scheduled_statuses/:id'),
  viewer: user('write|write:statuses'),
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Takes a waiting status back.',
})

export const scheduledFailed = event('statuses.scheduled.failed', {
  data: z.object({
    id: z.string(),
    account: z.string(),
    /** `quote`: the quoted status is gone or closed to quotes. */
    reason: z.enum(['quote', 'other']),
    /** ISO 8601: when it should have been published. */
    scheduledAt: z.string(),
  }),
  about: 'A scheduled status could not be published and stays in the list of its author.',
})

export const publishScheduled = job('statuses.publish-scheduled', {
  data: z.object({ id: z.string() }),
  about: 'Publishes a status whose time has come.',
})
