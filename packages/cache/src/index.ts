/** Redis and nothing but Redis. */
export * from './redis.js'
