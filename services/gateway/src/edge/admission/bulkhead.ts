/** Concurrency limits per class of request. A request waits up to 500 ms for a slot, then gets 503. */
import { fail, type RouteClass } from '@murmuration/contracts/kit'
import { createLimiter, type Limiter, type Release } from '@murmuration/flow'

/**
 * Maximum number of requests of a class that are processed at once. For logins, it is higher than the number of CPU
 * cores, because only password hashes need a CPU, and the accounts service limits those. Exchanges of codes and
 * sign-ups that wait for DNS need hardly any CPU.
 */
const CONCURRENCY: Record<RouteClass, number> = {
  read: 200,
  write: 100,
  login: 20,
  search: 20,
  upload: 20,
  inbox: 100,
  admin: 10,
  page: 50,
}
const WAIT_MS = 500
/**
 * Smoothed event-loop delay in ms above which new requests of a class are refused. Requests of a class without a value
 * are never refused because of the delay.
 */
const SHED_AT: Partial<Record<RouteClass, number>> = { page: 100, inbox: 200, search: 400, read: 800 }
/** Smoothed event-loop delay in ms above which requests of class `read` without a token are refused. */
const SHED_ANONYMOUS_AT = 100
/**
 * Minimum number of running and waiting requests with which requests are refused because of the event-loop delay. With
 * fewer requests, the delay has another cause.
 */
const SHED_FROM = 16

const busy = () =>
  fail('unavailable', 'The server is busy, please try again', { retryAfter: 1 + Math.floor(Math.random() * 4) })

export interface Bulkheads {
  /** Throws 503 while the process is overloaded for this class of requests. The check does no I/O, so it runs before the body is read. */
  admit(of: RouteClass, anonymous: boolean): void
  /**
   * Takes a slot of the class of the request. The caller releases it when the request is done. Throws 503 if no slot
   * becomes free in 500 ms.
   */
  enter(of: RouteClass): Release | Promise<Release>
}

/**
 * Exponential moving average of the event-loop delay in ms, updated at most once a second. A single garbage collection
 * hardly changes the average.
 */
const smoothed = (loopLag: () => number, now: () => number): (() => number) => {
  let value = 0
  let at = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - at >= 1_000) {
      value = value * 0.7 + loopLag() * 0.3
      at = now()
    }
    return value
  }
}

/** Creates the concurrency limits. `loopLag` returns the event-loop delay of the last second in ms. */
export const createBulkheads = (loopLag: () => number, now: () => number = () => performance.now()): Bulkheads => {
  const all = Object.fromEntries(
    Object.entries(CONCURRENCY).map(([name, concurrency]) => [
      name,
      createLimiter({ concurrency, queue: concurrency * 2, waitMs: WAIT_MS, refuse: busy }),
    ]),
  ) as Record<RouteClass, Limiter>
  const list = Object.values(all)
  const lag = smoothed(loopLag, now)
  return {
    admit(of, anonymous) {
      const max = anonymous && of === 'read' ? SHED_ANONYMOUS_AT : SHED_AT[of]
      if (max === undefined || lag() <= max) return
      if (list.reduce((sum, one) => sum + one.running + one.waiting, 0) >= SHED_FROM) throw busy()
    },
    enter: (of) => all[of].enter(),
  }
}
