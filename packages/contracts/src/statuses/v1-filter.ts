/** Operations about filters of API v1: one keyword each, with the id of the keyword (S-052, S-110). */
import { z } from 'zod'
import { V1Filter } from '../entities/index.js'
import { del, flag, get, id, operation, post, put, textOrNone, user } from '../kit/index.js'
import { filterContexts, filterExpiry } from './filter.js'

const OLD = '2022-11-14'
const one = z.object({ id: id() })
const changeable = {
  phrase: textOrNone().optional(),
  context: filterContexts().optional(),
  irreversible: flag(),
  whole_word: flag(),
  expires_in: filterExpiry().optional(),
}

export const listV1Filters = operation('statuses.v1-filter.list', {
  http: get('/api/v1/filters', OLD),
  viewer: user('read|read:filters'),
  large: true,
  input: z.object({}),
  output: z.array(V1Filter),
  about: 'Keywords of all filters of the viewer, in the form of API v1.',
})
export const createV1Filter = operation('statuses.v1-filter.create', {
  http: post('/api/v1/filters', OLD),
  viewer: user('write|write:filters'),
  creates: true,
  input: z.object(changeable),
  output: V1Filter,
  errors: ['unprocessable'],
  about: 'Creates a filter with one keyword.',
})
export const showV1Filter = operation('statuses.v1-filter.show', {
  http: get('/api/v1/filters/:id', OLD),
  viewer: user('read|read:filters'),
  input: one,
  output: V1Filter,
  errors: ['not_found'],
  about: 'One keyword of a filter, in the form of API v1.',
})
export const updateV1Filter = operation('statuses.v1-filter.update', {
  http: put('/api/v1/filters/:id', OLD),
  viewer: user('write|write:filters'),
  input: z.object({ id: id(), ...changeable }),
  output: V1Filter,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a keyword, and its filter if the filter has no other keyword.',
})
export const removeV1Filter = operation('statuses.v1-filter.remove', {
  http: del('/api/v1/filters/:id', OLD),
  viewer: user('write|write:filters'),
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a keyword from its filter.',
})
