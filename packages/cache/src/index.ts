/** Redis, and state in it that the processes of a service share: counters, rate limits and single-flight locks. */
export { type Counts, createCounts } from './counts.js'
export { createHostLimit, type HostLimit } from './host-limit.js'
export { type KeyOf, keyspace } from './key.js'
export type { RedisCommand } from './probe.js'
export * from './redis.js'
export { createSingleFlight, MAX_SHARED, type SingleFlight } from './single-flight.js'
