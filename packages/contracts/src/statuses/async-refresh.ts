/**
 * Operation that returns the progress of background work to which the response header `Mastodon-Async-Refresh` refers.
 */
import { z } from 'zod'
import { AsyncRefreshResult } from '../entities/index.js'
import { get, operation, text, user } from '../kit/index.js'

export const showAsyncRefresh = operation('statuses.async-refresh.show', {
  http: get('/api/v1_alpha/async_refreshes/:id'),
  viewer: user('read'),
  input: z.object({ id: text(200) }),
  output: AsyncRefreshResult,
  errors: ['not_found'],
  about: 'Whether the background work is still running.',
})
