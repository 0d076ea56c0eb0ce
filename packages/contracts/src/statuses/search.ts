/** Operation that searches accounts, statuses and hashtags. */
import { z } from 'zod'
import { Search } from '../entities/index.js'
import { flag, get, operation, optional, optionalId, scalarText, text } from '../kit/index.js'

/** An integer from -10,000 to 10,000. Undefined if absent; 0 for a value that is no number. */
const number = () =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      if (value === undefined || value === null || value === '') return undefined
      const n = Number.parseInt(scalarText(value), 10)
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
    /** Maximum number of results of each kind, at most 40. The handler refuses negative numbers. */
    limit: number().transform((n) => Math.min(n ?? 20, 40)),
    /** Number of results to skip; only used with `type`. Undefined if absent, because anonymous requests with any offset are refused. */
    offset: number(),
    /** True: the search for accounts finds only the viewer and followed accounts. */
    following: flag(),
    /** Account id. The search for statuses finds only statuses by this account. */
    account_id: optionalId(),
    min_id: optionalId(),
    max_id: optionalId(),
    /** True: the search for hashtags finds only reviewed hashtags, and the one whose name equals the query. */
    exclude_unreviewed: flag(),
  }),
  output: Search,
  errors: ['invalid', 'unauthenticated', 'not_found', 'unprocessable'],
  about: 'Accounts, statuses and hashtags that match a query. With `resolve`, an unknown address or handle is fetched.',
})
