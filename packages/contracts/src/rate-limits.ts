/** Rate limits of the API as a table: matching requests, owner and size of each bucket. */

/**
 * One bucket. Windows are aligned to the epoch.
 * `matches` are lines such as `POST /api/v1/media` or `PUT|PATCH /auth/setup`. The method `*` is any, `:id` is one
 * path segment, a final `*` is any rest. With `query`, one of these parameters must be present as well.
 * `key` is the owner of the bucket. `user` and `token` need an authenticated account. `ip` is the IP address (an IPv6 address
 * counts as its /64). `email` is the address or account in a form. `anonymous` excludes requests of a user.
 */
export type RateLimitBucket = {
  name: string
  matches: readonly string[]
  query?: readonly string[]
  key: 'user' | 'token' | 'ip' | 'email'
  anonymous?: true
  limit: number
  windowSeconds: number
}

const minute = 60
const hour = 60 * minute

const api = ['* /api/*']
const paging = { matches: ['* /*'], query: ['page', 'min_id', 'max_id', 'since_id'] }
const resetPassword = ['POST /auth/password', 'POST /auth/password/edit']
const confirmation = ['POST /auth/confirmation', 'POST /api/v1/emails/confirmations', 'POST|PUT|PATCH /auth/setup']
const setup = ['POST|PUT|PATCH /auth/setup']
const signIn = ['POST /auth/sign_in', 'POST /auth/sign_in/second_factor']

type Rest = Partial<Pick<RateLimitBucket, 'query' | 'anonymous'>>

/** A row of the table: `limit` requests in `window` seconds per `key`. */
function row(
  name: string,
  key: RateLimitBucket['key'],
  limit: number,
  windowSeconds: number,
  matches: readonly string[],
  rest: Rest = {},
): RateLimitBucket {
  return { name, matches, ...rest, key, limit, windowSeconds }
}

/** Buckets that count a request when it is received, whether or not it succeeds. A request may count in several buckets. */
const requests: readonly RateLimitBucket[] = [
  row('api', 'user', 1_500, 5 * minute, api),
  row('api_token', 'token', 300, 5 * minute, api),
  row('api_anonymous', 'ip', 300, 5 * minute, api, { anonymous: true }),
  row('media', 'user', 30, 30 * minute, ['POST /api/v1/media', 'POST /api/v2/media']),
  row('media_proxy', 'ip', 30, 10 * minute, ['* /media_proxy/*']),
  row('api_sign_up', 'ip', 5, 30 * minute, ['POST /api/v1/accounts']),
  row('apps', 'ip', 5, 10 * minute, ['POST /api/v1/apps']),
  row('paging', 'user', 300, 15 * minute, paging.matches, { query: paging.query }),
  row('paging_anonymous', 'ip', 300, 15 * minute, paging.matches, { query: paging.query, anonymous: true }),
  row('deletes', 'user', 30, 30 * minute, ['DELETE /api/v1/statuses/:id', 'POST /api/v1/statuses/:id/unreblog']),
  row('web_sign_up', 'ip', 25, 5 * minute, ['POST /auth']),
  row('password_reset', 'ip', 25, 5 * minute, resetPassword),
  row('password_reset_email', 'email', 5, 30 * minute, resetPassword),
  row('confirmation', 'ip', 25, 5 * minute, confirmation),
  row('confirmation_email', 'email', 5, 30 * minute, ['POST /auth/confirmation']),
  row('confirmation_user', 'user', 5, 30 * minute, ['POST /api/v1/emails/confirmations']),
  row('setup_email', 'email', 5, 10 * minute, setup),
  row('setup', 'user', 5, 10 * minute, setup),
  row('sign_in', 'ip', 25, 5 * minute, signIn),
  row('sign_in_account', 'email', 25, hour, signIn),
  row('provider_sign_in', 'ip', 50, 5 * minute, ['GET /auth/auth/*', 'POST /auth/identity']),
  row('second_factor_change', 'user', 20, 10 * minute, [
    'POST /settings/second_factor/*',
    'POST /settings/providers/*',
  ]),
  row('password_change', 'user', 10, 10 * minute, [
    'PUT|PATCH /auth',
    'PUT|PATCH /auth/password',
    'POST /auth/edit',
    'POST /settings/delete',
  ]),
]

/**
 * Buckets of requests that create something; the count is refunded if the request fails. All requests of a family share
 * the bucket.
 */
const families: readonly RateLimitBucket[] = [
  row('statuses', 'user', 300, 3 * hour, [
    'POST /api/v1/statuses',
    'PUT|PATCH /api/v1/statuses/:id',
    'POST /api/v1/statuses/:id/reblog',
  ]),
  row('follows', 'user', 400, 24 * hour, ['POST /api/v1/accounts/:id/follow', 'POST /api/v1/tags/:id/follow']),
  row('reports', 'user', 400, 24 * hour, ['POST /api/v1/reports']),
]

/** All rate limit buckets: of single requests, and of families of requests. */
export const rateLimits = { requests, families } as const

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Converts one line of `matches` to a regular expression for `METHOD path`. */
function compile(line: string): RegExp {
  const [methods = '', path = ''] = line.split(' ')
  const open = path.endsWith('*')
  const segments = (open ? path.slice(0, -1) : path)
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : literal(part)))
  return new RegExp(`^(?:${methods === '*' ? '[A-Z]+' : methods}) ${segments.join('/')}${open ? '.*' : ''}$`)
}

const compiled = new Map<RateLimitBucket, RegExp[]>(
  [...requests, ...families].map((bucket) => [bucket, bucket.matches.map(compile)]),
)

/**
 * Returns the rate limit buckets of a list in which a request counts.
 * @param path without query and without a trailing slash
 * @param query names of the query parameters
 */
export function bucketsFor(
  list: readonly RateLimitBucket[],
  method: string,
  path: string,
  query: Iterable<string> = [],
): RateLimitBucket[] {
  const names = new Set(query)
  const request = `${method.toUpperCase()} ${path}`
  return list.filter(
    (bucket) =>
      (!bucket.query || bucket.query.some((name) => names.has(name))) &&
      (compiled.get(bucket) ?? []).some((pattern) => pattern.test(request)),
  )
}
