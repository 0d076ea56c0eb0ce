/** Work that is cheaper together: what comes while one batch is under way goes into the next, so nobody waits for company. */
import { AsyncLocalStorage } from 'node:async_hooks'

interface Waiting<T, R> {
  readonly item: T
  readonly done: (result: R) => void
  readonly failed: (error: unknown) => void
  /** Runs something as if the one who asked had called it: with their deadline and their trace. */
  readonly as: <X>(work: () => X) => X
}

export interface BatchOptions {
  /** Items of one batch. */
  most: number
  /** Batches under way at once. */
  lanes: number
  /** Batches begin at least so far apart; the first waits for nobody. */
  pauseMs?: number
}

/**
 * `run` gets the items of a batch and returns their results in the same order. Requests of one turn of the event loop are one batch.
 * When a batch fails, each of its items is tried alone, so that one bad item does not fail the others.
 */
export const createBatches = <T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
  { most, lanes, pauseMs = 0 }: BatchOptions,
): ((item: T) => Promise<R>) => {
  let waiting: Waiting<T, R>[] = []
  let busy = 0
  let planned = false
  let beganAt = Number.NEGATIVE_INFINITY

  const alone = (one: Waiting<T, R>): Promise<void> =>
    one
      .as(() => run([one.item]))
      .then((results) => one.done(results[0] as R))
      .catch(one.failed)

  const together = async (batch: readonly Waiting<T, R>[]): Promise<void> => {
    const [first] = batch
    if (first === undefined) return
    if (batch.length === 1) return alone(first)
    try {
      const results = await first.as(() => run(batch.map((one) => one.item)))
      batch.forEach((one, i) => {
        one.done(results[i] as R)
      })
    } catch {
      await Promise.all(batch.map(alone))
    }
  }

  const begin = (): void => {
    planned = false
    beganAt = performance.now()
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    busy++
    together(batch).finally(() => {
      busy--
      plan()
    })
    plan()
  }

  const plan = (): void => {
    if (planned || busy >= lanes || waiting.length === 0) return
    planned = true
    const left = beganAt + pauseMs - performance.now()
    if (left > 0) setTimeout(begin, left)
    else setImmediate(begin)
  }

  return (item) =>
    new Promise<R>((done, failed) => {
      waiting.push({ item, done, failed, as: AsyncLocalStorage.snapshot() })
      plan()
    })
}
