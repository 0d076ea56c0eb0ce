/** Opens the Redis stores that the roles of a process need. The start fails if Redis refuses a login, command or key. */
import { keyspace, openRedis, type Redis } from '@murmuration/cache'
import { type CommonConfig, redisUrlOf } from './config.js'
import type { HealthCheck } from './health.js'
import type { Log } from './log.js'
import type { Manifest } from './manifest.js'
import type { RedisStore } from './redis-users.js'
import type { Needs } from './role-resources.js'
import { ConfigError } from './settings.js'

interface Options {
  manifest: Manifest
  needs: Needs
  common: CommonConfig
  env: NodeJS.ProcessEnv
  log: Log
  timeoutMs?: number | undefined
}

const openStore = async (options: Options, store: RedisStore): Promise<Redis> => {
  const { manifest, common, env, log, timeoutMs } = options
  const { service, redis: plan } = manifest
  const redis = await openRedis({
    url: redisUrlOf(common, store, service, env),
    name: `murmuration-${service}-${store}`,
    ...(timeoutMs !== undefined && { timeoutMs }),
    probe: {
      writes: keyspace(service)('probe'),
      reads: store === 'state' ? (plan.reads ?? []).map(({ owner, name }) => keyspace(owner)(name)) : [],
      commands: plan[store] ?? [],
    },
    onTrouble: (error) => log.warn({ error, store }, 'a request to Redis failed'),
  })
  await redis.healthy()
  const reason = redis.refusal()
  if (reason === null) return redis
  await redis.close()
  const variable = store === 'state' ? 'REDIS_URL' : 'REDIS_CACHE_URL'
  throw new ConfigError(`${variable} does not let ${service} do its work: Redis responds "${reason}".`)
}

/**
 * Opens the state and the cache. They share a connection when server and login are the same. A store that no role needs
 * is a placeholder.
 */
export const openRedisStores = async (options: Options): Promise<{ redis: Redis; redisCache: Redis }> => {
  const { manifest, needs, common, env } = options
  const address = (store: RedisStore) => redisUrlOf(common, store, manifest.service, env)
  const redis = await needs.grant('redis', () => openStore(options, 'state'))
  const isOne = needs.has('redis') && address('state') === address('cache')
  const redisCache = await needs.grant('redis-cache', async () => (isOne ? redis : openStore(options, 'cache')))
  return { redis, redisCache }
}

/**
 * The process is not ready while Redis responds and refuses commands. It is ready while Redis is unavailable, because
 * all roles work without Redis (F032).
 */
export const redisChecks = (
  service: string,
  needs: Needs,
  stores: { redis: Redis; redisCache: Redis },
): HealthCheck[] =>
  (
    [
      ['redis', stores.redis],
      ['redis-cache', stores.redisCache],
    ] as const
  )
    .filter(([need]) => needs.has(need))
    .map(([need, redis]) => ({
      name: `${service}.${need}`,
      healthy: async () => {
        await redis.healthy()
        return redis.refusal() === null
      },
      reason: () => redis.refusal(),
    }))
