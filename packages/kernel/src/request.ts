/** The request being served: carried through awaits, so that deadlines, callers and ids reach every call it makes. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Arrival } from '@murmuration/bus'
import type { Caller } from '@murmuration/contracts/kit'

export interface Request {
  readonly requestId: string
  readonly caller: Caller | null
  /** Process time (performance.now) at which work must stop. */
  readonly endsAt: number
  readonly commandId: string | null
  readonly idempotencyKey: string | null
  readonly locale: string
  readonly traceparent: string
  /** When it reached the edge; absent where the order of requests does not matter. */
  readonly arrival?: Arrival | null
}

/** No request waits longer than this at the edge and on the bus together. */
const LONGEST_WAIT_MS = 30_000

/**
 * When a request reached the edge, in milliseconds since 1970 by the clock that says `now`. The wait at the edge and the clock
 * of the edge both tell it, and the earlier one counts: the first leaves out the way over the bus, the second may be wrong. A
 * clock that is far behind is believed for 30 seconds at most.
 */
export const arrivedAt = ({ arrival }: Pick<Request, 'arrival'>, now: number): number =>
  arrival ? Math.max(now - LONGEST_WAIT_MS, Math.min(arrival.at, now - arrival.waitedMs)) : now

const storage = new AsyncLocalStorage<Request>()

export const currentRequest = (): Request | undefined => storage.getStore()

/** Milliseconds left of the current request; undefined outside one. */
export const remainingMs = (): number | undefined => {
  const request = storage.getStore()
  return request === undefined ? undefined : request.endsAt - performance.now()
}

export const within = <T>(request: Request, work: () => Promise<T>): Promise<T> => storage.run(request, work)

/** Work that goes on when the request which began it is over: without its deadline, its caller and its ids. */
export const outsideRequest = <T>(work: () => T): T => storage.exit(work)

/** A request of our own, for work that nobody at the edge asked for. */
export const ownRequest = (budgetMs: number, traceparent = ''): Request => ({
  requestId: randomUUID(),
  caller: null,
  endsAt: performance.now() + budgetMs,
  commandId: null,
  idempotencyKey: null,
  locale: '',
  traceparent,
})
