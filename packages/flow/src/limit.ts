/** Limits the number of concurrent calls. Waiting callers get free slots in order of arrival. */

/** Releases a slot. A caller must release its slot exactly once. */
export type Release = () => void

export interface LimiterOptions {
  /** Maximum number of calls that run at the same time. */
  concurrency: number
  /** Maximum number of callers that wait for a slot; default: no limit. */
  queue?: number
  /** Maximum wait for a slot in milliseconds; default: no limit. */
  waitMs?: number
  /** Creates the error for a caller that is refused, because the queue is full or its wait was too long. */
  refuse?: () => unknown
}

export interface Limiter {
  /** Takes a slot if one is free; else returns null. */
  tryEnter(): Release | null
  /**
   * Takes a slot if one is free, else returns a promise of a slot. Throws when the queue of the limiter is full. The
   * promise rejects after `waitMs`, and with the reason of `signal` when that is aborted. The caller then leaves the
   * queue.
   */
  enter(signal?: AbortSignal): Release | Promise<Release>
  /** Runs `work` in a slot. Rejects with the errors of `enter`, and with the error that `work` throws. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  readonly concurrency: number
  /** Number of calls that have a slot now. */
  readonly running: number
  /** Number of callers that wait for a slot. */
  readonly waiting: number
}

const tooMany = (): unknown => new Error('too many calls wait for a slot')

/**
 * @example
 * const hashes = createLimiter({ concurrency: 2, queue: 50, refuse: () => fail('unavailable', 'Try again') })
 * await hashes.run(() => hash(password))
 */
export const createLimiter = (options: LimiterOptions): Limiter => {
  const { concurrency, queue = Number.POSITIVE_INFINITY, waitMs, refuse = tooMany } = options
  let free = concurrency
  const waiters = new Set<() => void>()

  // All slots share this function, so that releasing a slot allocates no memory.
  const release: Release = () => {
    const [next] = waiters
    if (next === undefined) free++
    else next()
  }

  const wait = (signal?: AbortSignal): Promise<Release> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const leave = (): void => {
        waiters.delete(take)
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const take = (): void => {
        leave()
        resolve(release)
      }
      const abort = (): void => {
        leave()
        reject(signal?.reason)
      }
      const giveUp = (): void => {
        leave()
        reject(refuse())
      }
      if (waitMs !== undefined) timer = setTimeout(giveUp, waitMs)
      signal?.addEventListener('abort', abort)
      waiters.add(take)
    })

  const tryEnter = (): Release | null => {
    if (free === 0) return null
    free--
    return release
  }

  const enter = (signal?: AbortSignal): Release | Promise<Release> => {
    signal?.throwIfAborted()
    const slot = tryEnter()
    if (slot !== null) return slot
    if (waiters.size >= queue) throw refuse()
    return wait(signal)
  }

  return {
    concurrency,
    tryEnter,
    enter,
    async run(work, signal) {
      const slot = enter(signal)
      if (slot instanceof Promise) await slot
      try {
        return await work()
      } finally {
        release()
      }
    },
    get running() {
      return concurrency - free
    },
    get waiting() {
      return waiters.size
    },
  }
}

/**
 * Calls `work` for each item, at most `concurrency` at once. The results are in the order of the items. After a
 * failure, the other items are still processed. Then the first failure is thrown.
 */
export const mapLimited = async <T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const failures: unknown[] = []
  const rest = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest)
      try {
        results[index] = await work(item, index)
      } catch (error) {
        failures.push(error)
      }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
