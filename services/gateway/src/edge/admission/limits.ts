/**
 * Rate limits with fixed windows. Requests are counted in Redis for all processes and in the memory of this process; the
 * larger count applies. Responses carry the headers of the bucket with the fewest requests left.
 */
import { hash } from 'node:crypto'
import { keyspace, type Redis } from '@murmuration/cache'
import { fail } from '@murmuration/contracts/kit'
import type { RateLimitBucket } from '@murmuration/contracts/rate-limits'
import { createMemoryCache } from '@murmuration/flow'
import { addressKey } from '@murmuration/kernel'
import { asciiEmail } from '@murmuration/text'
import { addToCounts } from './limits.store.js'

/** Properties of the requester by which a request is counted: IP address, user, token and e-mail address. */
export interface Requester {
  readonly ip: string
  readonly viewerId: string | null
  readonly tokenId: string | null
  /** E-mail address or name from a sign-in form. */
  readonly email?: string
}

/** `X-RateLimit-*` headers of the bucket with the fewest requests left; null if the request was not counted. */
export type LimitHeaders = Readonly<Record<string, string>> | null

export interface Limits {
  /** Counts a request against its buckets. Throws 429 if the limit of a bucket is used up. */
  count(buckets: readonly RateLimitBucket[], requester: Requester): Promise<LimitHeaders>
  /**
   * Counts a request that uses up the limit only if it succeeds: the caller calls `refund` after a failure. Throws 429
   * when a limit is used up.
   */
  take(
    buckets: readonly RateLimitBucket[],
    requester: Requester,
  ): Promise<{ headers: LimitHeaders; refund: (() => void) | null }>
}

const keyFor = (bucket: RateLimitBucket, requester: Requester): string | null => {
  if (bucket.anonymous && requester.viewerId !== null) return null
  if (bucket.key === 'user') return requester.viewerId
  if (bucket.key === 'token') return requester.tokenId
  if (bucket.key === 'ip') return addressKey(requester.ip)
  // All spellings of an e-mail address that match one account are counted under one key. The key is a hash, because
  // Redis must not contain e-mail addresses in clear text.
  return requester.email ? hash('sha256', asciiEmail(requester.email).toLowerCase(), 'base64url') : null
}

interface Counted {
  readonly bucket: RateLimitBucket
  readonly key: string
  /** Unix seconds at which the window of the bucket ends. */
  readonly resets: number
}

const keyOf = keyspace('gateway')
/** Maximum number of rate limit buckets that this process counts in memory. Above it, the oldest buckets are dropped. */
const MAX_LOCAL_BUCKETS = 100_000

const createCounter = (redis: Redis, now: () => number) => {
  const here = createMemoryCache<number>({ max: MAX_LOCAL_BUCKETS, ttlMs: 60_000, now })
  const countLocally = (key: string, by: number, ttlMs: number): number => {
    const n = (here.get(key) ?? 0) + by
    here.set(key, n, ttlMs)
    return n
  }
  return async (counted: readonly Counted[], by: number): Promise<number[]> => {
    const keys = counted.map((one) => keyOf('limit', one.bucket.name, one.key, one.resets))
    const seconds = counted.map((one) => one.bucket.windowSeconds + 1)
    // Requests are also counted in memory, so that limits do not restart when Redis fails, times out or loses its data.
    const counts = keys.map((key, i) => countLocally(key, by, (seconds[i] ?? 0) * 1_000))
    const shared = await addToCounts(redis, keys, by, seconds)
    return counts.map((count, i) => Math.max(count, shared[i] ?? 0))
  }
}

/** Unix seconds as `2026-11-21T12:00:00.000000Z`, the format of `X-RateLimit-Reset` in Mastodon. */
const resetText = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, -1)}000Z`

export const createLimits = (redis: Redis, now: () => number): Limits => {
  const add = createCounter(redis, now)
  const prepare = (buckets: readonly RateLimitBucket[], requester: Requester): Counted[] => {
    const counted: Counted[] = []
    const seconds = Math.floor(now() / 1000)
    for (const bucket of buckets) {
      const key = keyFor(bucket, requester)
      if (key !== null)
        counted.push({
          bucket,
          key,
          resets: (Math.floor(seconds / bucket.windowSeconds) + 1) * bucket.windowSeconds,
        })
    }
    return counted
  }
  const checkBuckets = (counted: readonly Counted[], counts: readonly number[]): LimitHeaders => {
    let least = Number.POSITIVE_INFINITY
    let binding: Counted | undefined
    counted.forEach((one, i) => {
      const left = one.bucket.limit - (counts[i] ?? 0)
      if (left < least) {
        least = left
        binding = one
      }
    })
    if (!binding) return null
    const headers = {
      'X-RateLimit-Limit': String(binding.bucket.limit),
      'X-RateLimit-Remaining': String(Math.max(0, least)),
      'X-RateLimit-Reset': resetText(binding.resets),
    }
    if (least < 0)
      throw fail('rate_limited', 'Too many requests', {
        retryAfter: Math.max(1, binding.resets - Math.floor(now() / 1000)),
        headers,
      })
    return headers
  }
  return {
    async count(buckets, requester) {
      const counted = prepare(buckets, requester)
      return counted.length === 0 ? null : checkBuckets(counted, await add(counted, 1))
    },
    async take(buckets, requester) {
      const counted = prepare(buckets, requester)
      if (counted.length === 0) return { headers: null, refund: null }
      const refund = () => {
        add(counted, -1).catch(() => undefined)
      }
      try {
        return { headers: checkBuckets(counted, await add(counted, 1)), refund }
      } catch (refusal) {
        refund()
        throw refusal
      }
    },
  }
}

/** Rate limits that count no requests, for RATE_LIMITS=off. */
export const noLimits: Limits = {
  count: async () => null,
  take: async () => ({ headers: null, refund: null }),
}

/** Returns the rate limit headers with fewer requests left. If both have the same number, returns `request`. */
export const tighter = (request: LimitHeaders, family: LimitHeaders): LimitHeaders =>
  request && family
    ? Number(family['X-RateLimit-Remaining']) < Number(request['X-RateLimit-Remaining'])
      ? family
      : request
    : (family ?? request)
