/** Bounded work per class of request: a short wait for a permit, then 503 before the queue grows. */
import { availableParallelism } from 'node:os'
import { fail, type RouteClass } from '@murmuration/contracts/kit'
import { createLimiter, type Limiter, type Release } from '@murmuration/flow'

/** Requests of a class in work at once. */
const PLACES: Record<RouteClass, number> = {
  read: 200,
  write: 100,
  login: availableParallelism(),
  search: 20,
  upload: 20,
  inbox: 100,
  admin: 10,
  page: 50,
}
const WAIT_MS = 500
/** Smoothed event-loop delay in ms above which a class is refused; writes go on to the last. */
const SHED_AT: Partial<Record<RouteClass, number>> = { page: 100, inbox: 200, search: 400, read: 800 }
const SHED_ANONYMOUS_AT = 100
/** With fewer requests in work the delay has another cause, and refusing would help nobody. */
const SHED_FROM = 16

const busy = () =>
  fail('unavailable', 'The server is busy, please try again', { retryAfter: 1 + Math.floor(Math.random() * 4) })

export interface Bulkheads {
  /** Throws while the process cannot keep up with this kind of request. Costs nothing, so that it comes first. */
  admit(of: RouteClass, anonymous: boolean): void
  /** A slot for a request; the caller releases it when the request is done. */
  enter(of: RouteClass): Release | Promise<Release>
}

/** The delay of the last seconds, the newest counting most: one pause for rubbish is no overload, a flood is at once. */
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

/** `loopLag` is the delay of the last second in ms. */
export const createBulkheads = (loopLag: () => number, now: () => number = () => performance.now()): Bulkheads => {
  const all = Object.fromEntries(
    Object.entries(PLACES).map(([name, concurrency]) => [
      name,
      createLimiter({ concurrency, queue: concurrency * 2, waitMs: WAIT_MS, refuse: busy }),
    ]),
  ) as Record<RouteClass, Limiter>
  const list = Object.values(all)
  const lag = smoothed(loopLag, now)
  return {
    admit(of, anonymous) {
      const most = anonymous && of === 'read' ? SHED_ANONYMOUS_AT : SHED_AT[of]
      if (most === undefined || lag() <= most) return
      if (list.reduce((sum, one) => sum + one.running + one.waiting, 0) >= SHED_FROM) throw busy()
    },
    enter: (of) => all[of].enter(),
  }
}
