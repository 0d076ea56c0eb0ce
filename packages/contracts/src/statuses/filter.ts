/** Operations about filters: keywords and statuses that an account hides or shows with a warning. */
import { z } from 'zod'
import { Filter } from '../entities/index.js'
import {
  del,
  flag,
  get,
  id,
  intOrText,
  invalidation,
  list,
  operation,
  post,
  put,
  text,
  textOrNone,
  user,
} from '../kit/index.js'

const one = z.object({ id: id() })

/** Seconds until the filter expires; null and the empty string mean never. The handler checks further rules. */
export const filterExpiry = () => z.union([z.null(), z.literal('').transform(() => null), intOrText()])
/** Places in which a filter applies, at most 50. The handler checks whether they exist. */
export const filterContexts = () => list(text(100), 50)

/** A keyword of a filter: changed with `id`, deleted with `id` and `_destroy`, created without `id`. */
const keywordAttributes = z.object({
  id: z.union([z.null(), z.literal('').transform(() => null), id()]).optional(),
  keyword: textOrNone().optional(),
  whole_word: flag(),
  _destroy: flag(),
})

const changeable = {
  title: textOrNone().optional(),
  context: filterContexts().optional(),
  filter_action: textOrNone(100).optional(),
  expires_in: filterExpiry().optional(),
  keywords_attributes: list(keywordAttributes, 1_000).optional(),
}

export const listFilters = operation('statuses.filter.list', {
  http: get('/api/v2/filters'),
  viewer: user('read|read:filters'),
  large: true,
  input: z.object({}),
  output: z.array(Filter),
  about: 'All filters of the viewer, in order of creation.',
})
export const createFilter = operation('statuses.filter.create', {
  http: post('/api/v2/filters'),
  viewer: user('write|write:filters'),
  creates: true,
  input: z.object(changeable),
  output: Filter,
  errors: ['unprocessable'],
  about: 'Creates a filter, with keywords if any are given.',
})
export const showFilter = operation('statuses.filter.show', {
  http: get('/api/v2/filters/:id'),
  viewer: user('read|read:filters'),
  large: true,
  input: one,
  output: Filter,
  errors: ['not_found'],
  about: 'One filter of the viewer.',
})
export const updateFilter = operation('statuses.filter.update', {
  http: put('/api/v2/filters/:id'),
  viewer: user('write|write:filters'),
  large: true,
  input: z.object({ id: id(), ...changeable }),
  output: Filter,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a filter, and adds, changes or removes its keywords.',
})
export const removeFilter = operation('statuses.filter.remove', {
  http: del('/api/v2/filters/:id'),
  viewer: user('write|write:filters'),
  input: one,
  output: z.object({}),
  errors: ['not_found'],
  about: 'Deletes a filter with its keywords and statuses.',
})

/** Cache invalidation message: the filters of accounts changed. The ids are account ids. */
export const filterInvalidation = invalidation('statuses.filter', 'Ids of accounts whose cached filters are outdated.')
