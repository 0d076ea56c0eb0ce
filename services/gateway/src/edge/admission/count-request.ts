/** Counts a request against its rate limits: those of its route, of tried passwords, and of its family of operations. */
import { bucketsFor, type RateLimitBucket, rateLimits } from '@murmuration/contracts/rate-limits'
import type { Exchange } from '../exchange.js'
import type { LimitHeaders, Limits, Requester } from './limits.js'

const FAMILIES: ReadonlyMap<string, readonly RateLimitBucket[]> = new Map(
  rateLimits.families.map((bucket) => [bucket.name, [bucket]]),
)
/** A password may be tried at the token endpoint as well as on the page; both count as one. */
const PASSWORD_TRIES = bucketsFor(rateLimits.requests, 'POST', '/auth/sign_in')
const PAGE_PARAMETERS = ['page', 'min_id', 'max_id', 'since_id']

export const requesterOf = ({ ip, caller }: Exchange): Requester => ({
  ip,
  viewerId: caller.viewer?.id ?? null,
  tokenId: caller.app?.tokenId ?? null,
})

/** Buckets of operations that share a limit, such as all that follow accounts. */
export const familyOf = (name: string | null): readonly RateLimitBucket[] => FAMILIES.get(name ?? '') ?? []

/** Counts the request. Requests for further pages of a list have buckets of their own. */
export const countRequest = (
  limits: Limits,
  exchange: Exchange,
  query: Readonly<Record<string, unknown>>,
): Promise<LimitHeaders> => {
  const isPaging = exchange.query !== '' && PAGE_PARAMETERS.some((name) => name in query)
  return limits.count(isPaging ? exchange.buckets.paging : exchange.buckets.plain, requesterOf(exchange))
}

/** Counts a password that is tried at the token endpoint. */
export const countPasswordTry = async (limits: Limits, exchange: Exchange, input: unknown): Promise<void> => {
  const { username } = input as { username?: unknown }
  if (exchange.operation.class === 'login' && typeof username === 'string')
    await limits.count(PASSWORD_TRIES, { ...requesterOf(exchange), email: username })
}
