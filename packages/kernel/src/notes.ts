/** Processed-message log of consumers: written in the transaction of the effect, or afterwards for many messages at once. */

import { type Database, sql, type Tx, unhurried } from '@murmuration/db'
import { createBatcher } from '@murmuration/flow'
import { outsideRequest } from './request.js'

/** A message of a consumer. */
export interface Had {
  readonly consumer: string
  readonly eventId: string
}

/** Records that a consumer processed a message, unless `once` did. Resolves after the commit. */
export type Note = (had: Had) => Promise<void>

/** Messages in work whose record (that a consumer processed them) was committed together with their effect. */
const noted = new WeakSet<Had>()

/** Milliseconds for which records are collected into one statement. Short, because messages wait for their record. */
const NOTE_MS = 20
const MOST = 1_000

const byKey = (a: Had, b: Had): number =>
  a.consumer < b.consumer ? -1 : a.consumer > b.consumer ? 1 : Number(BigInt(a.eventId) - BigInt(b.eventId))

/**
 * Records messages whose effects have no transaction with `once`, for the reconciler. Written before the message is
 * acknowledged.
 */
export const createNotes = (db: Database, batchPause: (ms: number) => number): Note => {
  const write = createBatcher(
    async (all: readonly Had[]) => {
      // In one order everywhere, so that two processes with the same messages cannot wait for each other.
      const rows = all.toSorted(byKey)
      await db.run(sql`insert into consumed (consumer, event_id)
      select had.* from unnest(${rows.map((one) => one.consumer)}::text[], ${rows.map((one) => one.eventId)}::bigint[])
        as had(consumer, event_id), ${unhurried}
      on conflict do nothing`)
    },
    { pauseMs: batchPause(NOTE_MS), most: MOST, retryAlone: false, runIn: outsideRequest },
  )
  return async (had) => {
    if (!noted.has(had)) await write(had)
  }
}

/**
 * Events that their reaction has not processed before. The record of a processed event commits together with the
 * effects of the reaction.
 */
export const firstTime = async <E extends Had>(tx: Tx, events: readonly E[]): Promise<E[]> => {
  const sorted = events.toSorted(byKey)
  const rows = await tx.rows<{ consumer: string; event_id: string }>(sql`insert into consumed (consumer, event_id)
    select * from unnest(${sorted.map((one) => one.consumer)}::text[], ${sorted.map((one) => one.eventId)}::bigint[])
    on conflict do nothing returning consumer, event_id`)
  tx.onCommit(() => {
    for (const event of events) noted.add(event)
  })
  const fresh = new Set(rows.map((row) => `${row.consumer} ${row.event_id}`))
  // An event listed twice is returned once.
  return events.filter((one) => fresh.delete(`${one.consumer} ${one.eventId}`))
}

/**
 * Runs `effect` unless this reaction already processed the event. The record and the effect commit together.
 * @returns false when the event was processed before.
 */
export const once = async (tx: Tx, event: Had, effect: () => Promise<unknown>): Promise<boolean> => {
  const fresh = await tx.run(
    sql`insert into consumed (consumer, event_id) values (${event.consumer}, ${event.eventId}) on conflict do nothing`,
  )
  tx.onCommit(() => noted.add(event))
  if (fresh === 0) return false
  await effect()
  return true
}
