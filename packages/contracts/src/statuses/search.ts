/** Search over accounts, statuses and hashtags. */
import { z } from 'zod'
import { Search } from '../entities/index.js'
import { flag, get, id, limit, offset, operation, optional, text } from '../kit/index.js'

export const search = operation('statuses.search.find', {
  http: get('/api/v2/search'),
  viewer: optional('read|read:search'),
  class: 'search',
  input: z.object({
    q: text(2_400),
    type: text(100).optional(),
    resolve: flag(),
    limit: limit(20, 40),
    offset: offset(),
    /** As it came: anonymous callers may not page, not even with 0. */
    following: flag(),
    account_id: id().optional(),
    min_id: id().optional(),
    max_id: id().optional(),
    exclude_unreviewed: flag(),
  }),
  output: Search,
  errors: ['unauthenticated', 'unprocessable'],
  about:
    'Accounts, statuses and hashtags that a query means; an address or handle of another server is looked up there.',
})
