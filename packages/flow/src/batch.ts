/**
 * Handles items in batches. The first item is handled immediately. Items that are added while a batch is handled form
 * the next batch.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChunkLimits, fitting } from './chunk.js'

/** Runs a function in a captured async context (`AsyncLocalStorage`). */
type Run = <X>(work: () => X) => X

export interface BatchOptions<T = unknown> extends ChunkLimits<T> {
  /** Maximum number of batches that are handled at the same time; default: 1. */
  concurrency?: number
  /** Minimum milliseconds between the starts of two batches; default: 0. */
  pauseMs?: number
  /** After a batch of at least `size` items, `burst.pauseMs` replaces `pauseMs`. */
  burst?: { size: number; pauseMs: number }
  /** Milliseconds for which the first item waits for further items of its batch; default: 0. */
  delayMs?: number
  /** True starts a batch as soon as it has the maximum number of items, without waiting for `pauseMs`. */
  fullAtOnce?: boolean
  /** True, the default, handles each item of a failed batch again alone. False rejects all items of the batch. */
  retryAlone?: boolean
  /**
   * Calls the function that handles a batch. By default, the batch runs in the async context of its first item, with
   * the deadline and trace of the item's caller.
   */
  runIn?: Run
}

export interface Batcher<T, R = void> {
  /** Adds an item to the next batch. Resolves with the result of the item. */
  (item: T): Promise<R>
  /** Number of items whose batch has not started. */
  waiting(): number
  /** Starts all queued batches without pauses. Resolves when every item is resolved or rejected. */
  flush(): Promise<void>
}

interface Waiting<T, R> {
  readonly item: T
  readonly resolve: (result: R | PromiseLike<R>) => void
  readonly reject: (error: unknown) => void
  readonly run: Run
}

/**
 * Returns results in the order of the items. If a result is a promise, only its own item waits for the promise and
 * fails with it.
 */
type Work<T, R> = (items: T[]) => Promise<readonly (R | PromiseLike<R>)[]> | Promise<void>

/**
 * Creates a batcher. Items that are added in one turn of the event loop form one batch, up to the limits.
 * @example const read = createBatcher((ids: string[]) => readAll(ids), { max: 100, concurrency: 4 }) const row = await
 * read(id)
 */
export const createBatcher = <T, R = void>(work: Work<T, R>, options: BatchOptions<T>): Batcher<T, R> => {
  const {
    max,
    concurrency = 1,
    pauseMs = 0,
    burst,
    delayMs = 0,
    fullAtOnce = false,
    retryAlone = true,
    runIn,
  } = options
  const { maxSize, sizeOf } = options
  const limits = { max, maxSize, ...(sizeOf && { sizeOf: (one: Waiting<T, R>) => sizeOf(one.item) }) }
  let queue: Waiting<T, R>[] = []
  let running = 0
  let flushing = 0
  let startedAt = Number.NEGATIVE_INFINITY
  let intervalMs = pauseMs
  let planned = false
  let timer: NodeJS.Timeout | undefined
  let idle: PromiseWithResolvers<void> | undefined

  const handle = async (batch: readonly Waiting<T, R>[]): Promise<void> => {
    const [first] = batch
    if (first === undefined) return
    try {
      const results = (await first.run(() => work(batch.map((one) => one.item)))) as readonly R[] | undefined
      batch.forEach((one, i) => {
        one.resolve(results?.[i] as R)
      })
    } catch (error) {
      if (retryAlone && batch.length > 1) await Promise.all(batch.map((one) => handle([one])))
      else for (const one of batch) one.reject(error)
    }
  }

  const start = (): void => {
    planned = false
    timer = undefined
    startedAt = performance.now()
    const count = fitting(queue, limits)
    const batch = queue.slice(0, count)
    queue = queue.slice(count)
    intervalMs = burst !== undefined && count >= burst.size ? burst.pauseMs : pauseMs
    running++
    handle(batch).finally(() => {
      running--
      if (running > 0 || queue.length > 0) return plan()
      idle?.resolve()
      idle = undefined
    })
    plan()
  }

  const plan = (): void => {
    if (planned || running >= concurrency || queue.length === 0) return
    planned = true
    const isHurried = flushing > 0 || (fullAtOnce && queue.length >= max)
    const waitMs = isHurried ? 0 : Math.max(delayMs, startedAt + intervalMs - performance.now())
    if (waitMs > 0) timer = setTimeout(start, waitMs)
    else setImmediate(start)
  }

  const add = (item: T): Promise<R> =>
    new Promise<R>((resolve, reject) => {
      queue.push({ item, resolve, reject, run: runIn ?? AsyncLocalStorage.snapshot() })
      plan()
    })

  return Object.assign(add, {
    waiting: () => queue.length,
    async flush() {
      if (running === 0 && queue.length === 0) return
      idle ??= Promise.withResolvers<void>()
      flushing++
      if (timer !== undefined) {
        clearTimeout(timer)
        timer = undefined
        planned = false
        plan()
      }
      await idle.promise
      flushing--
    },
  })
}
