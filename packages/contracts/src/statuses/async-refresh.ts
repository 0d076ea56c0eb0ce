/** How far work in the background is that an answer named in its header `Mastodon-Async-Refresh`. */
import { z } from 'zod'
import { AsyncRefreshResult } from '../entities/index.js'
import { get, internal, operation, text, user } from '../kit/index.js'

export const showAsyncRefresh = operation('statuses.async-refresh.show', {
  http: get('/api/v1_alpha/async_refreshes/:id'),
  viewer: user('read'),
  input: z.object({ id: text(200) }),
  output: AsyncRefreshResult,
  errors: ['not_found'],
  about: 'Whether work in the background is still running.',
})

export const beginThreadRefresh = operation('statuses.async-refresh.begin', {
  viewer: internal(),
  class: 'write',
  input: z.object({ /** Id of the status whose thread is looked for elsewhere. */ status: z.string() }),
  output: z.object({ /** Null when somebody is at it already, or was within the hour. */ id: z.string().nullable() }),
  about: 'Work in the background about a thread begins; its readers are told of it.',
})

export const tellThreadRefresh = operation('statuses.async-refresh.tell', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    status: z.string(),
    id: z.string(),
    finished: z.boolean(),
    /** Statuses that were found so far. */
    count: z.int().nonnegative(),
  }),
  output: z.object({}),
  about: 'How far work in the background about a thread is.',
})
