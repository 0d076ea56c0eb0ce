/** Rate limits: counted in Redis for the cluster, per process while Redis is away; the binding limit is named in headers. */
import type { Redis } from '@murmuration/cache'
import { type AnyOperation, fail } from '@murmuration/contracts/kit'
import { bucketsFor, type RateLimitBucket, rateLimits } from '@murmuration/contracts/rate-limits'
import type { Exchange } from './exchange.js'

interface Counted {
  bucket: RateLimitBucket
  key: string
  /** Unix seconds at which the window ends. */
  resets: number
}
interface State {
  limit: number
  remaining: number
  resets: number
}

export interface Limits {
  /** Counts a request; throws 429 when a bucket is empty. */
  count(exchange: Exchange, names: readonly string[]): Promise<void>
  /** Counts what a success consumes; throws 429 before the work when the family is used up. */
  family(exchange: Exchange): Promise<{ consumed: boolean; giveBack(): void }>
}

/** IPv6 addresses are counted by their /64: a household has that many to choose from. */
export const addressKey = (ip: string): string => (ip.includes(':') ? expand(ip).slice(0, 4).join(':') : ip)
const expand = (ip: string): string[] => {
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? []
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  return tail === undefined
    ? left
    : [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
}

const keyOf = (bucket: RateLimitBucket, { caller, ip }: Exchange): string | null => {
  if (bucket.anonymous && caller.viewer) return null
  if (bucket.key === 'user') return caller.viewer?.id ?? null
  if (bucket.key === 'token') return caller.app?.tokenId ?? null
  if (bucket.key === 'ip') return addressKey(ip)
  // E-mail and account buckets belong to the pages, which know the form.
  return null
}

const SCRIPT = `local out = {}
for i = 1, #KEYS do
  local n = redis.call('INCRBY', KEYS[i], ARGV[1])
  if n == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[i], ARGV[1 + i]) end
  out[i] = n
end
return out`

export const createLimits = (redis: Redis, now: () => number): Limits => {
  const own = new Map<string, number>()
  const perOperation = new Map<AnyOperation, Map<string, readonly RateLimitBucket[]>>()

  /** Buckets of a route, found once; those that depend on the query are judged per request. */
  const bucketsOf = (exchange: Exchange, names: readonly string[]): readonly RateLimitBucket[] => {
    const routes = perOperation.get(exchange.operation) ?? new Map<string, readonly RateLimitBucket[]>()
    perOperation.set(exchange.operation, routes)
    const pages = names.some((name) => name === 'page' || name.endsWith('_id'))
    const key = `${exchange.method} ${exchange.route.path} ${pages}`
    let found = routes.get(key)
    if (!found) {
      found = bucketsFor(rateLimits.requests, exchange.method, exchange.path, names)
      routes.set(key, found)
    }
    return found
  }

  const increment = async (counted: readonly Counted[], by: number): Promise<number[]> => {
    const keys = counted.map((one) => `limit:${one.bucket.name}:${one.key}:${one.resets}`)
    const here = () =>
      keys.map((key) => {
        if (own.size > 100_000) own.clear()
        const n = (own.get(key) ?? 0) + by
        own.set(key, n)
        return n
      })
    const counts = await redis.soft<number[] | null>(
      (client) =>
        client.eval(SCRIPT, {
          keys,
          arguments: [String(by), ...counted.map((one) => String(one.bucket.windowSeconds + 1))],
        }) as Promise<number[]>,
      null,
    )
    return counts ?? here()
  }

  const prepare = (exchange: Exchange, buckets: readonly RateLimitBucket[]): Counted[] =>
    buckets.flatMap((bucket) => {
      const key = keyOf(bucket, exchange)
      const seconds = Math.floor(now() / 1000)
      return key === null
        ? []
        : [{ bucket, key, resets: (Math.floor(seconds / bucket.windowSeconds) + 1) * bucket.windowSeconds }]
    })

  const judge = (exchange: Exchange, counted: readonly Counted[], counts: readonly number[]): void => {
    const states = counted.map(
      ({ bucket, resets }, i): State => ({ limit: bucket.limit, remaining: bucket.limit - (counts[i] ?? 0), resets }),
    )
    const tightest = states.reduce<State | null>(
      (least, one) => (least === null || one.remaining < least.remaining ? one : least),
      null,
    )
    if (!tightest) return
    const before = Number(exchange.res.getHeader('X-RateLimit-Remaining') ?? Number.POSITIVE_INFINITY)
    if (tightest.remaining < before) {
      exchange.res.setHeader('X-RateLimit-Limit', String(tightest.limit))
      exchange.res.setHeader('X-RateLimit-Remaining', String(Math.max(0, tightest.remaining)))
      exchange.res.setHeader('X-RateLimit-Reset', `${new Date(tightest.resets * 1000).toISOString().slice(0, -1)}000Z`)
    }
    if (tightest.remaining < 0)
      throw fail('rate_limited', 'Too many requests', {
        retryAfter: Math.max(1, tightest.resets - Math.floor(now() / 1000)),
      })
  }

  return {
    async count(exchange, names) {
      const counted = prepare(exchange, bucketsOf(exchange, names))
      if (counted.length) judge(exchange, counted, await increment(counted, 1))
    },
    async family(exchange) {
      const { family } = exchange.operation
      const counted =
        family === null
          ? []
          : prepare(
              exchange,
              rateLimits.families.filter((bucket) => bucket.name === family),
            )
      if (counted.length === 0) return { consumed: false, giveBack: () => undefined }
      judge(exchange, counted, await increment(counted, 1))
      return {
        consumed: true,
        giveBack: () => {
          increment(counted, -1).catch(() => undefined)
        },
      }
    },
  }
}

/** For RATE_LIMITS=off. */
export const noLimits: Limits = {
  count: async () => undefined,
  family: async () => ({ consumed: false, giveBack: () => undefined }),
}
