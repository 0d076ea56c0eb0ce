/** Bounded work per class of request: a short wait for a place, then 503 before the queue grows (security 3). */
import { availableParallelism } from 'node:os'
import { fail, type RouteClass } from '@murmuration/contracts/kit'

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
/** Event-loop delay in ms above which a class is refused; writes go last. */
const SHED_AT: Partial<Record<RouteClass, number>> = { inbox: 150, search: 200, read: 400 }
const SHED_ANONYMOUS_AT = 100

class Bulkhead {
  #free: number
  readonly #waiting: (() => void)[] = []
  readonly #most: number
  constructor(places: number) {
    this.#free = places
    this.#most = places * 2
  }
  async enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    if (this.#waiting.length >= this.#most) throw busy()
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        const at = this.#waiting.indexOf(enter)
        if (at >= 0) this.#waiting.splice(at, 1)
        reject(busy())
      }, WAIT_MS)
      this.#waiting.push(enter)
    })
  }
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

const busy = () =>
  fail('unavailable', 'The server is busy, please try again', { retryAfter: 1 + Math.floor(Math.random() * 4) })

export interface Bulkheads {
  /** Waits for a place; call the returned function when done. */
  enter(of: RouteClass, anonymous: boolean): Promise<() => void>
}

export const createBulkheads = (loopLag: () => number): Bulkheads => {
  const all = Object.fromEntries(
    Object.entries(PLACES).map(([name, places]) => [name, new Bulkhead(places)]),
  ) as Record<RouteClass, Bulkhead>
  return {
    async enter(of, anonymous) {
      const lag = loopLag()
      if (lag > (SHED_AT[of] ?? Number.POSITIVE_INFINITY) || (anonymous && of === 'read' && lag > SHED_ANONYMOUS_AT))
        throw busy()
      const bulkhead = all[of]
      await bulkhead.enter()
      return () => bulkhead.leave()
    },
  }
}
