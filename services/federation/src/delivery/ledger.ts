/**
 * Stores results of deliveries in batches. One batch is written at a time, with the results since the previous batch.
 */
import type { Database, Tx } from '@murmuration/db'
import { type Log, ownRequest, within } from '@murmuration/kernel'
import { giveUpHostQueues, makeHostQueuesDue, postpone, type Result, recordResults } from './delivery.store.js'
import { type HealthChange, saveHealth } from './host-queue.store.js'
import { countAbandoned } from './metrics.js'

/** Result of one delivery attempt. */
export interface Entry {
  readonly queue: string
  /**
   * Result of the attempt. Null if nothing was sent because of a local fault: the delivery is due again at
   * `putOffUntil`.
   */
  readonly result: Result | null
  /** The unanswered delivery that a failed probe was sent instead of, and the time of its next attempt in ms since the epoch. */
  readonly head: { readonly activity: string; readonly inbox: string; readonly nextAt: number } | null
  readonly putOffUntil: Date | null
  readonly activity: string
  readonly inbox: string
  /** New health of the host; null if it did not change. */
  readonly health: HealthChange | null
  readonly revived: boolean
  readonly abandoned: boolean
  /** `onStored` is called after the result of the delivery was stored. */
  readonly onStored: () => void
}

export interface Ledger {
  add(entry: Entry): void
  /** Resolves when all results that were added are stored. */
  flush(): Promise<void>
}

/**
 * Delay before a batch is written, so that it contains more entries. With `BURST` or more entries, the batch waits
 * `BURST_MS` more.
 */
const FLUSH_MS = 5
const BURST = 8
const BURST_MS = 20
/** Delay before the results of deliveries are written again after a failed write. */
const AGAIN_MS = 1_000
/** Maximum number of results of deliveries per write. */
const MAX_ENTRIES = 1_000

const lastHealth = (entries: readonly Entry[]): HealthChange[] => [
  ...new Map(entries.flatMap((it) => (it.health === null ? [] : [[it.queue, it.health] as const]))).values(),
]

/** Results to store: that of the attempt, and that of the delivery which the failed probe was sent instead of. */
const resultsOf = (result: Result, head: Entry['head']): Result[] => {
  if (head === null) return [result]
  const { activity, inbox, nextAt } = head
  return [result, { activity, inbox, fate: { state: 'pending', nextAt }, status: null, gone: false }]
}

export const createLedger = (ctx: { db: Database; clock: { date(): Date }; log: Log }): Ledger => {
  const { db, clock, log } = ctx
  let entries: Entry[] = []
  let writing: Promise<void> | undefined

  const write = async (tx: Tx, batch: readonly Entry[]): Promise<void> => {
    const now = clock.date()
    const revived = batch.filter((it) => it.revived).map((it) => it.queue)
    const abandoned = batch.filter((it) => it.abandoned).map((it) => it.queue)
    const ours = batch.filter((it) => it.result === null)
    const unsent = ours.flatMap((it) => (it.head === null ? [it] : [it, it.head]))
    const results = batch.flatMap((it) => (it.result === null ? [] : resultsOf(it.result, it.head)))
    // Rows of host queues are locked before rows of deliveries. Publishing locks in the same order, so that
    // transactions do not deadlock.
    await saveHealth(tx, lastHealth(batch))
    await recordResults(tx, results, now)
    if (unsent.length) await postpone(tx, unsent, ours[0]?.putOffUntil ?? now)
    if (revived.length) await makeHostQueuesDue(tx, revived, now)
    if (abandoned.length) {
      const given = await giveUpHostQueues(tx, abandoned, now)
      tx.onCommit(() => countAbandoned('unavailable', given))
    }
  }

  const run = async (): Promise<void> => {
    while (entries.length) {
      await new Promise((resolve) => setTimeout(resolve, FLUSH_MS))
      if (entries.length >= BURST) await new Promise((resolve) => setTimeout(resolve, BURST_MS))
      const batch = entries.splice(0, MAX_ENTRIES)
      try {
        // The transaction has a deadline of its own, because the job that woke a host queue may have ended.
        await within(ownRequest(20_000), () => db.tx((tx) => write(tx, batch)))
      } catch (error) {
        log.warn({ error, deliveries: batch.length }, 'results of deliveries wait for the database')
        entries = [...batch, ...entries]
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        continue
      }
      for (const entry of batch) entry.onStored()
    }
    writing = undefined
  }

  return {
    add(entry) {
      entries.push(entry)
      writing ??= run()
    },
    flush: async () => writing,
  }
}
