/** Processed-message log of consumers: written in the transaction of the effect, or afterwards for many messages at once. */

import { type Database, sql, type Tx, unhurried } from '@murmuration/db'
import { createBatcher } from '@murmuration/flow'
import { outsideRequest } from './request.js'

/** A message of a consumer. */
export interface Processed {
  readonly consumer: string
  readonly eventId: string
}

/** Records that a consumer processed a message, unless `once` did. Resolves after the commit. */
export type MarkProcessed = (event: Processed) => Promise<void>

/** Messages in work whose record (that a consumer processed them) was committed together with their effect. */
const logged = new WeakSet<Processed>()

/** Milliseconds for which records are collected into one statement. Short, because messages wait for their record. */
const LOG_MS = 20
const MOST = 1_000

/**
 * Records messages whose effects have no transaction with `once`, for the reconciler. Written before the message is
 * acknowledged.
 */
export const createProcessedLog = (db: Database, batchPause: (ms: number) => number): MarkProcessed => {
  const write = createBatcher(
    async (rows: readonly Processed[]) => {
      await db.run(sql`insert into consumed (consumer, event_id)
      select had.* from unnest(${rows.map((one) => one.consumer)}::text[], ${rows.map((one) => one.eventId)}::bigint[])
        as had(consumer, event_id), ${unhurried}
      order by 1, 2 on conflict do nothing`)
    },
    { pauseMs: batchPause(LOG_MS), max: MOST, retryAlone: false, runIn: outsideRequest },
  )
  return async (event) => {
    if (!logged.has(event)) await write(event)
  }
}

/**
 * Events that their reaction has not processed before. The record of a processed event commits together with the
 * effects of the reaction.
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
 * Runs `effect` unless this reaction already processed the event. The record and the effect commit together.
 * @returns false when the event was processed before.
 */
export const once = async (tx: Tx, event: Processed, effect: () => Promise<unknown>): Promise<boolean> => {
  const fresh = await tx.run(
    sql`insert into consumed (consumer, event_id) values (${event.consumer}, ${event.eventId}) on conflict do nothing`,
  )
  tx.onCommit(() => logged.add(event))
  if (fresh === 0) return false
  await effect()
  return true
}
