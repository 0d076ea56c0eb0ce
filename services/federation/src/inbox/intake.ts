/** Stores received activities together with their jobs, and closes them; batches of one transaction under load. */
import { processActivity } from '@murmuration/contracts/federation'
import { chunk, createBatcher } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'
import { type Closing, closeEntries, type InboundActivity, storeActivities } from './inbox.store.js'

export interface Intake {
  /** Stores an activity and queues its job, both or neither. False if it is known and has no new effect. */
  store(activity: InboundActivity): Promise<boolean>
  /** Writes the outcome of an activity; false if it was closed or replaced meanwhile. */
  close(closing: Closing): Promise<boolean>
  /** Counts a request that waits for its response. */
  responding<T>(work: Promise<T>): Promise<T>
  /** Resolves when no burst of requests waits for this process, or after a second: stored activities can wait, senders cannot. */
  waitForIdle(): Promise<void>
}

const MOST = 100
/** Activities of one job. */
const MOST_OF_JOB = 25
/** Under load, deliveries of this time are one transaction. A single delivery does not wait. */
const PAUSE_MS = 5
/** So many requests that wait at the same time are a burst. */
const BURST = 4
/** A burst is over after this time without one: between two responses it always looks so. */
const IDLE_MS = 100
/** How long processing yields to a burst, and how often it checks. */
const YIELD_MS = 1_000
const POLL_MS = 25

/** Jobs for these activities, several per job. */
export const jobsOf = (ids: readonly string[]): { ids: string[] }[] =>
  chunk(ids, MOST_OF_JOB).map((some) => ({ ids: some }))

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
    { most: MOST, concurrency: 2, pauseMs: base.batchPause(PAUSE_MS) },
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
      most: MOST,
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
