/** Keeps activities with the jobs that will work on them, and closes them afterwards; many in one transaction under load. */
import { processActivity } from '@murmuration/contracts/federation'
import { type BaseContext, createBatches } from '@murmuration/kernel'
import { type Closing, closeEntries, type Incoming, keepActivities } from './inbox.store.js'

export interface Intake {
  /** Keeps an activity and queues the work on it, both or neither; false when it is here already. */
  keep(incoming: Incoming): Promise<boolean>
  /** Notes what became of it; false when that was noted before. */
  close(closing: Closing): Promise<boolean>
  /** Somebody waits here for an answer until this is settled. */
  answering<T>(work: Promise<T>): Promise<T>
  /** Resolves when no crowd waits to be answered by this process, or after a second: what was kept can wait, senders cannot. */
  calm(): Promise<void>
}

const MOST = 100
/** Activities of one job. */
const MOST_OF_JOB = 25
/** Under load what comes within so long is one transaction; who comes alone does not wait. */
const PAUSE_MS = 5
/** So many who wait for their answer at the same time are a crowd. */
const CROWD = 4
/** A crowd has gone when so long none was seen: between two answers it always looks as if it had. */
const CALM_MS = 100
/** How long work gives way to a crowd, and how often it looks. */
const GIVE_WAY_MS = 1_000
const LOOK_MS = 25

/** As jobs, some of them together. */
export const jobsOf = (ids: readonly string[]): { ids: string[] }[] =>
  Array.from({ length: Math.ceil(ids.length / MOST_OF_JOB) }, (_, i) => ({
    ids: ids.slice(i * MOST_OF_JOB, (i + 1) * MOST_OF_JOB),
  }))

export const createIntake = (base: Pick<BaseContext, 'db' | 'queue' | 'batchPause'>): Intake => {
  let waiting = 0
  let crowdAt = Number.NEGATIVE_INFINITY
  const keep = createBatches(
    (items: readonly Incoming[]) =>
      base.db.tx(async (tx) => {
        const kept = await keepActivities(tx, items)
        const fresh = kept.filter((id) => id !== null)
        await base.queue(tx, processActivity, ...jobsOf(fresh))
        return kept.map((id) => id !== null)
      }),
    { most: MOST, lanes: 2, pauseMs: base.batchPause(PAUSE_MS) },
  )
  const look = (): number => {
    const now = performance.now()
    if (waiting >= CROWD) crowdAt = now
    return now
  }
  return {
    keep,
    answering(work) {
      waiting++
      look()
      return work.finally(() => {
        waiting--
      })
    },
    close: createBatches((items: readonly Closing[]) => closeEntries(base.db, items), {
      most: MOST,
      lanes: 1,
      pauseMs: base.batchPause(PAUSE_MS),
    }),
    async calm() {
      const end = performance.now() + base.batchPause(GIVE_WAY_MS)
      for (let now = look(); now < end && now - crowdAt < CALM_MS; now = look())
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    },
  }
}
