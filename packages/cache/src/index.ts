/** Redis, and what all processes of a service know together by it: counts of requests, and who is fetching what. */
export { type Counts, createCounts } from './counts.js'
export { createHostBudget, type HostBudget } from './host-budget.js'
export { type KeyOf, keyspace } from './key.js'
export * from './redis.js'
export { createSingleFlight, type SingleFlight } from './single-flight.js'
