/** Reblogs: sharing somebody’s status, taking that back, and who reblogged. */
import { z } from 'zod'
import { Account, Status } from '../entities/index.js'
import { get, id, operation, optional, pageFields, pageOf, post, textOrNone, user } from '../kit/index.js'

export const addReblog = operation('statuses.reblog.add', {
  http: post('/api/v1/statuses/:id/reblog'),
  viewer: user('write|write:statuses'),
  family: 'statuses',
  input: z.object({ id: id(), visibility: textOrNone(100).optional() }),
  output: Status,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about: 'Shares a status with one’s own followers; once each.',
})

export const removeReblog = operation('statuses.reblog.remove', {
  http: post('/api/v1/statuses/:id/unreblog'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id() }),
  output: Status,
  errors: ['not_found'],
  about: 'Takes a reblog back.',
})

export const rebloggedBy = operation('statuses.reblog.people', {
  http: get('/api/v1/statuses/:id/reblogged_by'),
  viewer: optional('read|read:accounts'),
  cache: 'anonymous',
  input: z.object({ id: id(), ...pageFields(40) }),
  output: pageOf(Account, 'D'),
  errors: ['not_found'],
  about: 'People who reblogged a status publicly.',
})
