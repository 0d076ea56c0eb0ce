/** Single things worked on together: the first goes at once, and what comes while it is on its way goes in one piece. */
import { outsideRequest } from './request.js'

export interface Gathering<T> {
  /** Resolves when the piece that holds the item was worked on; rejects with its error. */
  (item: T): Promise<void>
  /** Items that have not gone yet. */
  waiting(): number
  /** Resolves when all that was given so far is done, well or not; nothing waits for its pause. */
  flush(): Promise<void>
}

interface Waiting<T> {
  item: T
  resolve(): void
  reject(error: unknown): void
}

/** Items that came together and so were a crowd, when nothing else is said. */
const CROWD = 4

export interface GatherOptions {
  /** Pieces begin at least so far apart … */
  pauseMs: number
  /** … and so far after a piece of several items; the same when absent. */
  crowdMs?: number
  /** So many are several; 4 when absent. */
  crowd?: number
  /** Items of one piece. */
  most: number
}

/**
 * Gathers items into pieces of `most`. One piece is worked on at a time, and pieces begin at least a pause apart, so a
 * lone item waits for nobody and a flood costs one piece of work for each pause.
 * @example const mark = gather<string>({ pauseMs: 100, most: 500 }, (ids) => markAll(ids))
 */
export const gather = <T>(
  { pauseMs, crowdMs = pauseMs, crowd = CROWD, most }: GatherOptions,
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
    // What the same turn of the event loop brings goes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (queue.length) {
      const left = startedAt + apartMs - performance.now()
      if (left > 0 && hurried === 0) await pause(left)
      startedAt = performance.now()
      const piece = queue.slice(0, most)
      apartMs = piece.length >= crowd ? crowdMs : pauseMs
      queue = queue.slice(most)
      await work(piece.map((one) => one.item)).then(
        () => {
          for (const one of piece) one.resolve()
        },
        (error) => {
          for (const one of piece) one.reject(error)
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
