/** Notes of which message each consumer had: with the effect in one transaction, or afterwards for many at once. */

import { type Database, sql, type Tx, unhurried } from '@murmuration/db'
import { createBatcher } from '@murmuration/flow'
import { outsideRequest } from './request.js'

/** A message as a consumer has it. */
export interface Had {
  readonly consumer: string
  readonly eventId: string
}

/** Writes down that a consumer had a message, unless `once` did; resolves when that is committed. */
export type Note = (had: Had) => Promise<void>

/** Messages in hand whose note was committed with their effect. */
const noted = new WeakSet<Had>()

/** Notes of a busy moment are one statement and one commit. Messages wait for theirs, so a longer pause would be a limit. */
const NOTE_MS = 20
const MOST = 1_000

const byKey = (a: Had, b: Had): number =>
  a.consumer < b.consumer ? -1 : a.consumer > b.consumer ? 1 : Number(BigInt(a.eventId) - BigInt(b.eventId))

/**
 * For what had no transaction of its own: the reconciler must know that it was had. Written before the message is
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

/** Of these events those that their reaction had not had before; the note that it had them commits with their effects. */
export const firstTime = async <E extends Had>(tx: Tx, events: readonly E[]): Promise<E[]> => {
  const sorted = events.toSorted(byKey)
  const rows = await tx.rows<{ consumer: string; event_id: string }>(sql`insert into consumed (consumer, event_id)
    select * from unnest(${sorted.map((one) => one.consumer)}::text[], ${sorted.map((one) => one.eventId)}::bigint[])
    on conflict do nothing returning consumer, event_id`)
  tx.onCommit(() => {
    for (const event of events) noted.add(event)
  })
  const fresh = new Set(rows.map((row) => `${row.consumer} ${row.event_id}`))
  // An event that stands there twice is new once.
  return events.filter((one) => fresh.delete(`${one.consumer} ${one.eventId}`))
}

/**
 * Runs `effect` unless this reaction already had this event: the note that it did and the effect commit together.
 * @returns false when it had been done before.
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
