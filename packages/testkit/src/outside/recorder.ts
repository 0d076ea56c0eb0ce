/** A list of recorded items on which tests can wait. */

/** Recorded items, with waiting for items that have not arrived yet. */
export interface Recorder<T> {
  /** Everything in order of arrival, taken or not; a live view. */
  readonly all: readonly T[]
  push(item: T): void
  /**
   * The oldest item that matches and was not taken before; waits for one when there is none.
   *
   * @param withinMs how long to wait, 30,000 by default
   * @throws Error that lists what did arrive when the time is up
   */
  next(matches?: (item: T) => boolean, withinMs?: number): Promise<T>
  /** Resolves once at least `count` items arrived in all; takes nothing. */
  reached(count: number, withinMs?: number): Promise<void>
  /** Makes every present and later wait fail with this error, as when a connection closed. */
  end(reason: Error): void
  /** Forgets everything that arrived. */
  clear(): void
}

interface Waiter<T> {
  done: (item: T | undefined) => void
  fail: (error: Error) => void
  matches: ((item: T) => boolean) | undefined
  count: number
}

const PATIENCE_MS = 30_000

/** @param what names the items in the error of a wait that took too long, such as `pushes at the push service` */
export const recorder = <T>(what: string, show: (item: T) => string = (item) => JSON.stringify(item)): Recorder<T> => {
  const all: T[] = []
  const untaken: T[] = []
  const waiters = new Set<Waiter<T>>()
  let ended: Error | undefined

  const satisfy = (waiter: Waiter<T>): boolean => {
    if (waiter.count > 0) {
      if (all.length >= waiter.count) waiter.done(undefined)
      return all.length >= waiter.count
    }
    const at = untaken.findIndex((item) => waiter.matches?.(item) ?? true)
    if (at >= 0) waiter.done(untaken.splice(at, 1)[0])
    return at >= 0
  }
  const wait = (count: number, matches: Waiter<T>['matches'], withinMs: number): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        waiters.delete(waiter)
      }
      const timer = setTimeout(() => waiter.fail(new Error(tooLate(what, withinMs, all.map(show)))), withinMs)
      const waiter: Waiter<T> = {
        count,
        matches,
        done: (item) => {
          settle()
          resolve(item)
        },
        fail: (error) => {
          settle()
          reject(error)
        },
      }
      if (satisfy(waiter)) return
      if (ended) waiter.fail(ended)
      else waiters.add(waiter)
    })

  return {
    all,
    push: (item) => {
      all.push(item)
      untaken.push(item)
      for (const waiter of [...waiters]) satisfy(waiter)
    },
    next: async (matches, withinMs = PATIENCE_MS) => (await wait(0, matches, withinMs)) as T,
    reached: async (count, withinMs = PATIENCE_MS) => {
      await wait(Math.max(count, 1), undefined, withinMs)
    },
    end: (reason) => {
      ended = reason
      for (const waiter of [...waiters]) waiter.fail(reason)
    },
    clear: () => {
      all.length = 0
      untaken.length = 0
    },
  }
}

const tooLate = (what: string, withinMs: number, seen: string[]): string =>
  `nothing more among ${what} within ${withinMs} ms; ${seen.length} arrived${seen
    .slice(-10)
    .map((text) => `\n  ${text.slice(0, 300)}`)
    .join('')}`
