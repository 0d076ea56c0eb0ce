/** Concurrency and caching inside one process: limits, batches, locks, circuit breakers, caches and chunks. Imports no other workspace. */
export * from './batch.js'
export * from './chunk.js'
export * from './circuit-breaker.js'
export * from './deadline.js'
export * from './keyed-limit.js'
export * from './limit.js'
export * from './memo.js'
export * from './memory-cache.js'
