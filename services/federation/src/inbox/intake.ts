/** Stores received activities together with their jobs, and writes their outcomes. Concurrent calls share a transaction. */
import { processActivity } from '@murmuration/contracts/federation'
import { chunk, createBatcher } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'
import { type Closing, closeEntries, type InboundActivity, storeActivities } from './inbox.store.js'

export interface Intake {
  /** Stores an activity and queues its job in one transaction. Returns false if the activity is known and needs no job. */
  store(activity: InboundActivity): Promise<boolean>
  /**
   * Writes the outcome of an activity. Returns false if the activity was closed, or replaced by a redelivery,
   * meanwhile.
   */
  close(closing: Closing): Promise<boolean>
  /** Counts an inbox request as waiting until the promise `work` settles. Returns `work`. */
  responding<T>(work: Promise<T>): Promise<T>
  /**
   * Resolves when no burst of requests waits for this process, at the latest after `YIELD_MS`.
   *
   * Jobs call this first, because stored activities can wait and senders cannot.
   */
  waitForIdle(): Promise<void>
}

/** Maximum number of received activities that one transaction stores. */
const MAX_ACTIVITIES = 100
/** Maximum number of received activities that one job processes. */
const MAX_OF_JOB = 25
/** Time that a batch collects deliveries under load. A single delivery does not wait. */
const PAUSE_MS = 5
/** Number of waiting requests that count as a burst. */
const BURST = 4
/**
 * A burst is over when fewer than `BURST` requests have waited for this time. Between two responses of a burst the
 * number drops briefly.
 */
const IDLE_MS = 100
/** Longest time that a job waits for the end of a burst, and the interval of its checks. */
const YIELD_MS = 1_000
const POLL_MS = 25

/** Payloads of the jobs for these activities, `MAX_OF_JOB` activities per job. */
export const jobsOf = (ids: readonly string[]): { ids: string[] }[] =>
  chunk(ids, MAX_OF_JOB).map((some) => ({ ids: some }))

export const createIntake = (base: Pick<BaseContext, 'db' | 'queue' | 'batchPause'>): Intake => {
  let waiting = 0
  let burstAt = Number.NEGATIVE_INFINITY
  const store = createBatcher(
    (items: readonly InboundActivity[]) =>
      base.db.tx(async (tx) => {
        const stored = await storeActivities(tx, items)
        const fresh = stored.filter((id) => id !== null)
        await base.queue(tx, processActivity, ...jobsOf(fresh))
        return stored.map((id) => id !== null)
      }),
    { max: MAX_ACTIVITIES, concurrency: 2, pauseMs: base.batchPause(PAUSE_MS) },
  )
  const check = (): number => {
    const now = performance.now()
    if (waiting >= BURST) burstAt = now
    return now
  }
  return {
    store,
    responding(work) {
      waiting++
      check()
      return work.finally(() => {
        waiting--
      })
    },
    close: createBatcher((items: readonly Closing[]) => closeEntries(base.db, items), {
      max: MAX_ACTIVITIES,
      concurrency: 1,
      pauseMs: base.batchPause(PAUSE_MS),
    }),
    async waitForIdle() {
      const end = performance.now() + base.batchPause(YIELD_MS)
      for (let now = check(); now < end && now - burstAt < IDLE_MS; now = check())
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    },
  }
}
