/** Keeps activities with the jobs that will work on them, and closes them afterwards; many in one transaction under load. */
import { processActivity } from '@murmuration/contracts/federation'
import { type BaseContext, createBatches } from '@murmuration/kernel'
import { type Closing, closeEntries, type Incoming, keepActivities } from './store/inbox.js'

export interface Intake {
  /** Keeps an activity and queues the work on it, both or neither; false when it is here already. */
  keep(incoming: Incoming): Promise<boolean>
  /** Notes what became of it; false when that was noted before. */
  close(closing: Closing): Promise<boolean>
}

const MOST = 100
/** Activities of one job. */
const MOST_OF_JOB = 25
/** Under load what comes within so long is one transaction; who comes alone does not wait. */
const PAUSE_MS = 5

const jobsOf = (ids: readonly string[]): { ids: string[] }[] =>
  Array.from({ length: Math.ceil(ids.length / MOST_OF_JOB) }, (_, i) => ({
    ids: ids.slice(i * MOST_OF_JOB, (i + 1) * MOST_OF_JOB),
  }))

export const createIntake = (base: Pick<BaseContext, 'db' | 'queue'>): Intake => ({
  keep: createBatches(
    (items: readonly Incoming[]) =>
      base.db.tx(async (tx) => {
        const kept = await keepActivities(tx, items)
        const fresh = kept.filter((id) => id !== null)
        await base.queue(tx, processActivity, ...jobsOf(fresh))
        return kept.map((id) => id !== null)
      }),
    { most: MOST, lanes: 2, pauseMs: PAUSE_MS },
  ),
  close: createBatches((items: readonly Closing[]) => closeEntries(base.db, items), {
    most: MOST,
    lanes: 1,
    pauseMs: PAUSE_MS,
  }),
})
