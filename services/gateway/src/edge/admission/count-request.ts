/** Counts a request against the rate limits that apply to it: of its route, of password attempts, and of its family of operations. */
import { bucketsFor, type RateLimitBucket, rateLimits } from '@murmuration/contracts/rate-limits'
import type { Exchange } from '../exchange.js'
import type { LimitHeaders, Limits, Requester } from './limits.js'

const FAMILIES: ReadonlyMap<string, readonly RateLimitBucket[]> = new Map(
  rateLimits.families.map((bucket) => [bucket.name, [bucket]]),
)
/** Rate limit buckets of the sign-in page. Password attempts at the token endpoint count against the same buckets. */
const PASSWORD_BUCKETS = bucketsFor(rateLimits.requests, 'POST', '/auth/sign_in')
const PAGE_PARAMETERS = ['page', 'min_id', 'max_id', 'since_id']

export const requesterOf = ({ ip, caller }: Exchange): Requester => ({
  ip,
  viewerId: caller.viewer?.id ?? null,
  tokenId: caller.app?.tokenId ?? null,
})

/** Rate limit buckets that all operations of a family share, such as all follow operations. Empty for null and unknown families. */
export const familyOf = (name: string | null): readonly RateLimitBucket[] => FAMILIES.get(name ?? '') ?? []

/**
 * Counts a request against its rate limits. Throws 429 if a limit is used up. Requests for further pages of a list
 * count against the `paging` limits.
 */
export const countRequest = (
  limits: Limits,
  exchange: Exchange,
  query: Readonly<Record<string, unknown>>,
): Promise<LimitHeaders> => {
  const isPaging = exchange.query !== '' && PAGE_PARAMETERS.some((name) => name in query)
  return limits.count(isPaging ? exchange.buckets.paging : exchange.buckets.plain, requesterOf(exchange))
}

/** Counts a password attempt at the token endpoint; does nothing for other requests. Throws 429 when a bucket is empty. */
export const countPasswordTry = async (limits: Limits, exchange: Exchange, input: unknown): Promise<void> => {
  const { username } = input as { username?: unknown }
  if (exchange.operation.class === 'login' && typeof username === 'string')
    await limits.count(PASSWORD_BUCKETS, { ...requesterOf(exchange), email: username })
}
