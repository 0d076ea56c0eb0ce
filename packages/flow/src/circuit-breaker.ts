/** A circuit breaker for each key: after several consecutive failures, requests are refused for a while. */
import { createMemoryCache } from './memory-cache.js'

export interface CircuitBreakerOptions {
  /** Consecutive failures that open a breaker. */
  failures: number
  /** Milliseconds without a failure after which an open breaker lets requests through again. */
  openMs: number
  /**
   * Milliseconds after which failures are forgotten; default: `openMs`; 0: never. Until the failures are forgotten, one
   * more failure opens the breaker again.
   */
  resetMs?: number
  /** Maximum number of keys; default: 1. */
  max?: number
  /** Milliseconds of the clock of the process. */
  now(): number
}

export interface CircuitBreaker {
  /** True while requests are refused. */
  isOpen(key?: string): boolean
  /** Closes the breaker and clears its failures. */
  succeeded(key?: string): void
  /** Records a failure. Returns true if this failure opened the breaker, so that the caller can send a probe. */
  failed(key?: string): boolean
}

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
