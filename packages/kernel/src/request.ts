/** The current request, in asynchronous context. So each call that the handler makes has its deadline, caller and ids. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Arrival } from '@murmuration/bus'
import type { Caller } from '@murmuration/contracts/kit'

export interface Request {
  readonly requestId: string
  readonly caller: Caller | null
  /** Deadline of the request or other work, as a value of `performance.now()`. */
  readonly endsAt: number
  readonly commandId: string | null
  readonly idempotencyKey: string | null
  readonly locale: string
  readonly traceparent: string
  /** Arrival of the request at the gateway. Absent when the order of requests is irrelevant. */
  readonly arrival?: Arrival | null
}

/** Maximum milliseconds that a request is assumed to have waited at the gateway and on the bus together. */
const MAX_WAIT_MS = 30_000

/**
 * Arrival of a request at the gateway, in milliseconds since 1970 by the clock of `now`. There are two estimates, and
 * the earlier one is used. The wait at the gateway does not contain the time on the bus, and the clock of the gateway
 * may be wrong. The result is at most 30 seconds before `now`.
 */
export const arrivedAt = ({ arrival }: Pick<Request, 'arrival'>, now: number): number =>
  arrival ? Math.max(now - MAX_WAIT_MS, Math.min(arrival.at, now - arrival.waitedMs)) : now

const storage = new AsyncLocalStorage<Request>()

/** The current request; undefined outside of one. */
export const currentRequest = (): Request | undefined => storage.getStore()

/** Milliseconds until the deadline of the current request; undefined outside of a request. */
export const remainingMs = (): number | undefined => {
  const request = storage.getStore()
  return request === undefined ? undefined : request.endsAt - performance.now()
}

/** Runs work in the context of a request. Returns the result of `work`. */
export const within = <T>(request: Request, work: () => Promise<T>): Promise<T> => storage.run(request, work)

/**
 * Runs work that continues after the current request. The work does not have the deadline, caller and ids of that
 * request.
 */
export const outsideRequest = <T>(work: () => T): T => storage.exit(work)

/** Request context for work that no request caused, such as a job or a tick. */
export const ownRequest = (budgetMs: number, traceparent = ''): Request => ({
  requestId: randomUUID(),
  caller: null,
  endsAt: performance.now() + budgetMs,
  commandId: null,
  idempotencyKey: null,
  locale: '',
  traceparent,
})
