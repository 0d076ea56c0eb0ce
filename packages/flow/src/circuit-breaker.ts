/** A circuit breaker for each key: after several consecutive failures, it refuses requests for some time. */
import { createMemoryCache } from './memory-cache.js'

export interface CircuitBreakerOptions {
  /** Number of consecutive failures that opens a breaker. */
  failures: number
  /** Milliseconds without a failure after which an open breaker lets requests through again. */
  openMs: number
  /**
   * Milliseconds after the last failure until all failures are forgotten; default: `openMs`; 0: never. Until then, each
   * further failure opens a breaker again that was open before.
   */
  resetMs?: number
  /** Maximum number of keys whose failures are counted; default: 1. */
  max?: number
  /** Returns the time of the process in milliseconds. */
  now(): number
}

export interface CircuitBreaker {
  /** True while the breaker of this key is open, so that requests must not be sent. */
  isOpen(key?: string): boolean
  /** Closes the breaker and clears its failures. */
  succeeded(key?: string): void
  /** Records a failure. Returns true only for the failure that reaches `failures`, so that the caller can send a probe. */
  failed(key?: string): boolean
}

/** Creates circuit breakers in the memory of this process. All breakers are closed at first. */
export const createCircuitBreaker = (options: CircuitBreakerOptions): CircuitBreaker => {
  const { failures, openMs, resetMs = openMs, max = 1, now } = options
  const counts = createMemoryCache<{ count: number; at: number }>({ max, ttlMs: resetMs, now })
  return {
    isOpen(key = '') {
      const known = counts.get(key)
      return known !== undefined && known.count >= failures && now() - known.at < openMs
    },
    succeeded: (key = '') => counts.delete(key),
    failed(key = '') {
      const count = (counts.get(key)?.count ?? 0) + 1
      counts.set(key, { count, at: now() })
      return count === failures
    },
  }
}
