/** Search over accounts, statuses and hashtags. */
import { z } from 'zod'
import { Search } from '../entities/index.js'
import { flag, get, id, operation, optional, text } from '../kit/index.js'

/** A whole number as it came, within ±10,000; undefined when it was not sent, 0 for what is no number. */
const number = () =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      if (value === undefined || value === null || value === '') return undefined
      const n = Number.parseInt(String(value), 10)
      return Number.isNaN(n) ? 0 : Math.max(-10_000, Math.min(n, 10_000))
    })

export const search = operation('statuses.search.find', {
  http: get('/api/v2/search'),
  viewer: optional('read|read:search'),
  class: 'search',
  input: z.object({
    q: text(2_400),
    type: text(100).optional(),
    resolve: flag(),
    /** Of each kind, 40 at most; negative ones are refused. */
    limit: number().transform((n) => Math.min(n ?? 20, 40)),
    /** As it came: anonymous callers may not page, not even with 0. Looked at only with a type. */
    offset: number(),
    /** Accounts: only those the viewer follows, and the viewer. */
    following: flag(),
    /** Statuses: only by this account. */
    account_id: id().optional(),
    min_id: id().optional(),
    max_id: id().optional(),
    /** Hashtags: only those that staff looked at, and the one that is named exactly. */
    exclude_unreviewed: flag(),
  }),
  output: Search,
  errors: ['invalid', 'unauthenticated', 'not_found', 'unprocessable'],
  about:
    'Accounts, statuses and hashtags that a query means; an address or handle of another server is looked up there.',
})
