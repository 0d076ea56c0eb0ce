/** Versions of a status. */
import { z } from 'zod'
import { StatusEdit } from '../entities/index.js'
import { get, id, operation, optional } from '../kit/index.js'

export const showHistory = operation('statuses.history.show', {
  http: get('/api/v1/statuses/:id/history'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({ id: id() }),
  output: z.array(StatusEdit),
  errors: ['not_found'],
  about: 'Every version of a status, the original first.',
})
