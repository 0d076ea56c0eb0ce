/**
 * Processed-message log of consumers. A record is written in the transaction of the effect, or after it for many
 * messages at once.
 */

import type { AnyJob } from '@murmuration/contracts/kit'
import { asyncCommit, type Database, sql, type Tx } from '@murmuration/db'
import { createBatcher } from '@murmuration/flow'
import { queueOf } from './manifest.js'
import { outsideRequest } from './request.js'
import { PART } from './suspects.js'

/** A message of a consumer. */
export interface Processed {
  readonly consumer: string
  readonly eventId: string
}

/** Records that a consumer processed a message, unless `processOnce` has recorded it. Resolves when the record is committed. */
export type MarkProcessed = (event: Processed) => Promise<void>

/** Consumer name of the records of dropped dead letters. */
export const droppedOf = (consumer: string): string => `${consumer}~dropped`

/** Messages in work whose record was committed in the transaction of their effect, so that no further record is needed. */
const logged = new WeakSet<Processed>()

/** Milliseconds for which records are collected into one statement. Short, because a message is acknowledged after its record. */
const LOG_MS = 20
const MAX_ENTRIES = 1_000

/**
 * Creates the function that records messages whose effect was not committed by `processOnce`. The reconciler reads these
 * records. They are written before the message is acknowledged.
 */
export const createProcessedLog = (db: Database, batchPause: (ms: number) => number): MarkProcessed => {
  const write = createBatcher(
    async (rows: readonly Processed[]) => {
      await db.run(sql`insert into consumed (consumer, event_id)
      select had.* from unnest(${rows.map((one) => one.consumer)}::text[], ${rows.map((one) => one.eventId)}::bigint[])
        as had(consumer, event_id), ${asyncCommit}
      order by 1, 2 on conflict do nothing`)
    },
    { pauseMs: batchPause(LOG_MS), max: MAX_ENTRIES, retryAlone: false, runIn: outsideRequest },
  )
  return async (event) => {
    if (!logged.has(event)) await write(event)
  }
}

/**
 * Returns the events that the reaction has not processed, and records them as processed. The records commit in the
 * transaction of the effects.
 */
export const unprocessed = async <E extends Processed>(tx: Tx, events: readonly E[]): Promise<E[]> => {
  const rows = await tx.rows<{ consumer: string; event_id: string }>(sql`insert into consumed (consumer, event_id)
    select * from unnest(${events.map((one) => one.consumer)}::text[], ${events.map((one) => one.eventId)}::bigint[])
    order by 1, 2 on conflict do nothing returning consumer, event_id`)
  tx.onCommit(() => {
    for (const event of events) logged.add(event)
  })
  const fresh = new Set(rows.map((row) => `${row.consumer} ${row.event_id}`))
  // An event listed twice is returned once.
  return events.filter((one) => fresh.delete(`${one.consumer} ${one.eventId}`))
}

/**
 * Runs `effect` unless this reaction already processed the event. The record and the effect commit together. Required work must not
 * follow this transaction, because a recorded event is not handled again.
 * @returns false when the event was processed before.
 */
export const processOnce = async (tx: Tx, event: Processed, effect: () => Promise<unknown>): Promise<boolean> => {
  const fresh = await tx.run(
    sql`insert into consumed (consumer, event_id) values (${event.consumer}, ${event.eventId}) on conflict do nothing`,
  )
  tx.onCommit(() => logged.add(event))
  if (fresh === 0) return false
  await effect()
  return true
}

/** Record that a job, or a part of a divided job, queued its next jobs. Null for a job that is not from the outbox. */
const nextRecord = (job: AnyJob, id: string): (Processed & { id: string }) | null => {
  const [eventId = '', part] = id.split(PART)
  if (!/^\d+$/.test(eventId)) return null
  return { id, consumer: `${queueOf(job)}:next${part === undefined ? '' : PART + part}`, eventId }
}

/**
 * Returns the ids of jobs that have not queued their next jobs, and records them. Without the record, a job that runs
 * again after its commit would queue its next page twice. Parts of a divided job are recorded one by one. Only jobs from
 * the outbox are recorded.
 */
export const withoutNext = async (tx: Tx, job: AnyJob, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const records = ids.flatMap((id) => nextRecord(job, id) ?? [])
  const others = ids.filter((id) => nextRecord(job, id) === null)
  const fresh = records.length === 0 ? [] : await unprocessed(tx, records)
  return new Set([...others, ...fresh.map((one) => one.id)])
}

/**
 * Queues the next jobs of a job by `queue`, unless an earlier run of the job queued them. `queue` may also do the other
 * work of the transaction.
 */
export const queueNextOnce = async (
  tx: Tx,
  job: AnyJob,
  { id }: { readonly id: string },
  queue: () => Promise<unknown>,
): Promise<void> => {
  if ((await withoutNext(tx, job, [id])).has(id)) await queue()
}
