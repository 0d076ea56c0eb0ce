/** Handles items in batches. The first item is handled immediately, and items that are added meanwhile form the next batch. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChunkLimits, fitting } from './chunk.js'

/** Runs a function in an async context. */
type Run = <X>(work: () => X) => X

export interface BatchOptions<T = unknown> extends ChunkLimits<T> {
  /** Maximum number of concurrent batches; default: 1. */
  concurrency?: number
  /** Milliseconds between the starts of two batches; default: 0. */
  pauseMs?: number
  /** A batch of at least `size` items is a burst, after which the pause is longer. */
  burst?: { size: number; pauseMs: number }
  /** Milliseconds from the first item to the start of its batch; default: 0. */
  delayMs?: number
  /** A full batch starts without a pause. */
  fullAtOnce?: boolean
  /** False: a failure rejects all items of its batch. Default: each item is tried again alone. */
  retryAlone?: boolean
  /** Runs the batches. Default: the async context of the first caller, such as its deadline and trace. */
  runIn?: Run
}

export interface Batcher<T, R = void> {
  /** Resolves with the result of the item. */
  (item: T): Promise<R>
  /** Items in the queue. */
  waiting(): number
  /** Handles the queue without pauses. Resolves when all items are done, also after errors. */
  flush(): Promise<void>
}

interface Waiting<T, R> {
  readonly item: T
  readonly resolve: (result: R | PromiseLike<R>) => void
  readonly reject: (error: unknown) => void
  readonly run: Run
}

/** Results in the order of the items. A result may be a promise, which then settles its item alone. */
type Work<T, R> = (items: T[]) => Promise<readonly (R | PromiseLike<R>)[]> | Promise<void>

/**
 * Items of one turn of the event loop are one batch, up to the limits.
 * @example
 * const read = createBatcher((ids: string[]) => readAll(ids), { most: 100, concurrency: 4 })
 * const row = await read(id)
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
