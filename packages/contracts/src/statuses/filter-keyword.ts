/**
 * Operations about keywords of a filter. Each operation has two paths: the newer one, and the one in the specification
 * (S-117, S-118).
 */
import { z } from 'zod'
import { FilterKeyword } from '../entities/index.js'
import { del, flag, get, id, operation, post, put, textOrNone, user } from '../kit/index.js'

const one = z.object({ id: id() })

export const listFilterKeywords = operation('statuses.filter-keyword.list', {
  http: get('/api/v2/filters/:filter_id/keywords'),
  viewer: user('read|read:filters'),
  large: true,
  input: z.object({ filter_id: id() }),
  output: z.array(FilterKeyword),
  errors: ['not_found'],
  about: 'Keywords of a filter, in order of creation.',
})
export const addFilterKeyword = operation('statuses.filter-keyword.add', {
  http: [post('/api/v2/filters/:filter_id/keywords'), post('/api/v2/filters/:filter_id/keywords/:id')],
  viewer: user('write|write:filters'),
  creates: true,
  // The longer path ends with an `id`, which is ignored.
  input: z.object({ filter_id: id(), keyword: textOrNone().optional(), whole_word: flag() }),
  output: FilterKeyword,
  errors: ['not_found', 'unprocessable'],
  about: 'Adds a keyword to a filter.',
})
export const showFilterKeyword = operation('statuses.filter-keyword.show', {
  http: [get('/api/v2/filters/keywords/:id'), get('/api/v1/filters/keywords/:id')],
  viewer: user('read|read:filters'),
  input: one,
  output: FilterKeyword,
  errors: ['not_found'],
  about: 'One keyword of a filter.',
})
export const updateFilterKeyword = operation('statuses.filter-keyword.update', {
  http: [put('/api/v2/filters/keywords/:id'), put('/api/v1/filters/keywords/:id')],
  viewer: user('write|write:filters'),
  input: z.object({ id: id(), keyword: textOrNone().optional(), whole_word: flag() }),
  output: FilterKeyword,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a keyword of a filter.',
})
export const removeFilterKeyword = operation('statuses.filter-keyword.remove', {
  http: [del('/api/v2/filters/keywords/:id'), del('/api/v1/filters/keywords/:id')],
  viewer: user('write|write:filters'),
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a keyword from its filter.',
})
