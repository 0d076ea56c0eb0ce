/** A list of recorded items, such as requests or events, for which tests can wait. */

/** Recorded items. Its methods also wait for items that have not arrived yet. */
export interface Recorder<T> {
  /** All items in order of arrival, including those that `next` returned. The list grows with each item. */
  readonly all: readonly T[]
  push(item: T): void
  /**
   * Returns the oldest matching item that `next` has not returned before. Waits for a matching item if there is none.
   *
   * @param withinMs maximum wait in milliseconds; 30,000 by default
   * @throws Error that lists the items that did arrive, after that time
   */
  next(matches?: (item: T) => boolean, withinMs?: number): Promise<T>
  /** Resolves when at least `count` items have arrived since the start. Items remain available for `next`. */
  reached(count: number, withinMs?: number): Promise<void>
  /** Rejects every current and later wait with this error, for example when a connection was closed. */
  end(reason: Error): void
  /** Removes all recorded items. */
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
