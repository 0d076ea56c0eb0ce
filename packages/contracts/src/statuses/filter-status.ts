/** Operations about statuses listed in a filter. */
import { z } from 'zod'
import { FilterStatus } from '../entities/index.js'
import { del, get, id, operation, post, user } from '../kit/index.js'

const one = z.object({ id: id() })

export const listFilterStatuses = operation('statuses.filter-status.list', {
  http: get('/api/v2/filters/:filter_id/statuses'),
  viewer: user('read|read:filters'),
  large: true,
  input: z.object({ filter_id: id() }),
  output: z.array(FilterStatus),
  errors: ['not_found'],
  about: 'Statuses of a filter, in the order in which they were added.',
})
export const addFilterStatus = operation('statuses.filter-status.add', {
  http: post('/api/v2/filters/:filter_id/statuses'),
  viewer: user('write|write:filters'),
  creates: true,
  input: z.object({ filter_id: id(), status_id: id().optional() }),
  output: FilterStatus,
  errors: ['not_found', 'unprocessable'],
  about: 'Adds a status to a filter.',
})
export const showFilterStatus = operation('statuses.filter-status.show', {
  http: get('/api/v2/filters/statuses/:id'),
  viewer: user('read|read:filters'),
  input: one,
  output: FilterStatus,
  errors: ['not_found'],
  about: 'One status of a filter.',
})
export const removeFilterStatus = operation('statuses.filter-status.remove', {
  http: del('/api/v2/filters/statuses/:id'),
  viewer: user('write|write:filters'),
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a status from a filter.',
})
