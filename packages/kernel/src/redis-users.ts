/** Redis users of the services: their ACL rules, derived from the manifests. */
import { keyspace } from '@murmuration/cache'
import type { Manifest } from './manifest.js'

export type RedisStore = 'state' | 'cache'

/** Commands that each Redis user may run: those of the client on a new connection, and those of the probes. */
const ALWAYS = ['auth', 'hello', 'ping', 'select', 'client|setname', 'set', 'exists']

/**
 * ACL rules of a service for one Redis store, without its password. Null when the service does not use the store. No
 * rule permits channels. Read-only keys need Redis 7.
 * @example redisRulesOf(manifest, 'state') // '~streaming:* resetchannels -@all +auth … +zadd'
 */
export const redisRulesOf = (
  { service, redis }: Pick<Manifest, 'service' | 'redis'>,
  store: RedisStore,
): string | null => {
  const commands = redis[store]
  if (!commands) return null
  const reads = store === 'state' ? (redis.reads ?? []) : []
  return [
    `~${keyspace(service)('*')}`,
    ...reads.map(({ owner, name }) => `%R~${keyspace(owner)(name)}`),
    'resetchannels',
    '-@all',
    ...new Set([...ALWAYS, ...commands.toSorted()].map((command) => `+${command}`)),
  ].join(' ')
}

/** Error texts for manifests in which roles, commands and shared keys contradict each other. */
export const redisContradictions = (manifests: readonly Manifest[]): string[] =>
  manifests.flatMap(({ service, redis, roles }) => {
    const needed = (need: 'redis' | 'redis-cache') => Object.values(roles).some((plan) => plan.needs.includes(need))
    const shared = (owner: string) => manifests.find((one) => one.service === owner)?.redis.shares ?? []
    return [
      ...(needed('redis') === Boolean(redis.state)
        ? []
        : [`${service}: a role needs redis if redis.state has commands`]),
      ...(needed('redis-cache') === Boolean(redis.cache)
        ? []
        : [`${service}: a role needs redis-cache if redis.cache has commands`]),
      ...(redis.shares ?? [])
        .filter((key) => key.owner !== service)
        .map((key) => `${service} shares ${key.name} of ${key.owner}`),
      ...(redis.reads ?? [])
        .filter((key) => !shared(key.owner).includes(key))
        .map((key) => `${service} reads ${key.name}, which ${key.owner} does not share`),
    ]
  })
