/** Micro-batches: the first item is handled at once, and items that are added meanwhile form the next batch. */
import { outsideRequest } from './request.js'

export interface Gathering<T> {
  /** Resolves when the batch with the item is done; rejects with its error. */
  (item: T): Promise<void>
  /** Items in the queue. */
  waiting(): number
  /** Handles the queue without pauses. Resolves when all items are done, also after errors. */
  flush(): Promise<void>
}

interface Waiting<T> {
  item: T
  resolve(): void
  reject(error: unknown): void
}

/** Batches of this size are a burst, by default. */
const BURST = 4

export interface GatherOptions {
  /** Milliseconds between the starts of two batches. */
  pauseMs: number
  /** The same after a burst; default: `pauseMs`. */
  burstMs?: number
  /** Number of items that is a burst; default: 4. */
  burst?: number
  /** Most items of one batch. */
  most: number
}

/**
 * Collects items into batches of `most`. One batch is handled at a time, and batches start at least a pause apart. So a single
 * item does not wait, and a burst costs one batch for each pause.
 * @example const mark = gather<string>({ pauseMs: 100, most: 500 }, (ids) => markAll(ids))
 */
export const gather = <T>(
  { pauseMs, burstMs = pauseMs, burst = BURST, most }: GatherOptions,
  work: (items: T[]) => Promise<void>,
): Gathering<T> => {
  let queue: Waiting<T>[] = []
  let running: Promise<void> | undefined
  let hurried = 0
  let wake: (() => void) | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let apartMs = pauseMs

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async (): Promise<void> => {
    // Items of the same turn of the event loop are in the same batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (queue.length) {
      const left = startedAt + apartMs - performance.now()
      if (left > 0 && hurried === 0) await pause(left)
      startedAt = performance.now()
      const batch = queue.slice(0, most)
      apartMs = batch.length >= burst ? burstMs : pauseMs
      queue = queue.slice(most)
      await work(batch.map((one) => one.item)).then(
        () => {
          for (const one of batch) one.resolve()
        },
        (error) => {
          for (const one of batch) one.reject(error)
        },
      )
    }
    running = undefined
  }

  const give = (item: T): Promise<void> =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      running ??= outsideRequest(run)
    })
  return Object.assign(give, {
    waiting: () => queue.length,
    async flush() {
      hurried++
      wake?.()
      await running
      hurried--
    },
  })
}
