/** Statuses that wait for their time: looking at them, moving and taking them back. */
import { z } from 'zod'
import { ScheduledStatus } from '../entities/index.js'
import { del, get, id, operation, page, pageOf, put, textOrNone, user } from '../kit/index.js'

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
