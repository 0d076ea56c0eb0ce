/**
 * Records how deliveries of messages ended. A message is suspect if its previous delivery ended without a report,
 * because its handler may have crashed the process.
 */

import type { JsMsg } from '@murmuration/bus'
import { type Database, sql } from '@murmuration/db'
import { createBatcher } from '@murmuration/flow'
import { outsideRequest } from './request.js'

/** State of a suspect event or job. */
export interface Suspicion {
  /** Number of times that the event or job ran alone without a reported end. */
  starts: number
  /** True if the heartbeat of a run in any process is recent. */
  inWork: boolean
}

export interface Deliveries {
  /** True when the previous delivery of the message ended without a report. A first delivery needs no query. */
  isSuspect(message: JsMsg): Promise<boolean>
  /** Records that this delivery ends with a report. Its events or jobs are no longer suspect. */
  reported(message: JsMsg, ids: readonly string[]): Promise<void>
  /** Removes the record of a message whose handler succeeded. */
  handled(message: JsMsg): Promise<void>
  /** States of suspect events or jobs by id. Ids that are not suspect are absent. */
  suspicions(ids: readonly string[]): Promise<ReadonlyMap<string, Suspicion>>
  /** Counts a run of the suspect alone. Called before the handler starts. */
  started(id: string): Promise<void>
  /** Stores a heartbeat of the current run. */
  alive(id: string): Promise<void>
  /** Removes the count of the current run, because another suspect runs at the same time, so a crash proves nothing. */
  startReverted(id: string): Promise<void>
  /** Removes all counts of runs of the events or jobs with these ids, which ended with a result or as dead letters. */
  ended(ids: readonly string[]): Promise<void>
}

/** Separator between the id of a job and the number of its part. */
export const PART = '~'

/** Id of a part of a divided job. `index` is its index among the parts. */
export const partId = (id: string, index: number): string => `${id}${PART}${index + 1}`

/** Milliseconds for which reports are collected into one statement. */
const REPORT_MS = 20
const MAX_REPORTS = 500

interface Report {
  message: string
  delivery: number
}

/** Message id and sequence, because an id may be used again after the message was deleted. */
const keyOf = (message: JsMsg): string => `${message.headers?.get('Nats-Msg-Id') ?? ''}/${message.seq}`

/**
 * Creates the record of the deliveries of a consumer. Only failures, stops and redeliveries are stored. So a message
 * that succeeds at its first delivery needs no statement.
 * @param options aliveMs: maximum age of the last heartbeat of a run in work, in milliseconds; shorter than the time
 * until redelivery
 */
export const createDeliveries = (
  db: Database,
  consumer: string,
  { aliveMs, batchPause }: { aliveMs: number; batchPause(ms: number): number },
): Deliveries => {
  const store = createBatcher(
    async (all: readonly Report[]) => {
      const last = new Map<string, number>()
      for (const { message, delivery } of all) last.set(message, Math.max(delivery, last.get(message) ?? 0))
      const rows = [...last]
      await db.run(sql`insert into reported_deliveries (consumer, message, delivery)
      select ${consumer}, * from unnest(${rows.map(([key]) => key)}::text[], ${rows.map(([, n]) => n)}::int[]) order by 2
      on conflict (consumer, message) do update set delivery = greatest(reported_deliveries.delivery, excluded.delivery), at = now()`)
    },
    { pauseMs: batchPause(REPORT_MS), max: MAX_REPORTS, retryAlone: false, runIn: outsideRequest },
  )
  const deliveries: Deliveries = {
    async isSuspect(message) {
      const before = message.info.deliveryCount - 1
      if (before === 0) return false
      const row = await db.row<{ delivery: number }>(
        sql`select delivery from reported_deliveries where consumer = ${consumer} and message = ${keyOf(message)}`,
      )
      return row === null || row.delivery < before
    },
    async reported(message, ids) {
      await store({ message: keyOf(message), delivery: message.info.deliveryCount })
      if (message.info.deliveryCount > 1)
        await db.run(
          sql`delete from suspect_starts where consumer = ${consumer} and split_part(message_id, ${PART}, 1) = any(${ids}::text[])`,
        )
    },
    async handled(message) {
      if (message.info.deliveryCount > 1)
        await db.run(sql`delete from reported_deliveries where consumer = ${consumer} and message = ${keyOf(message)}`)
    },
    async suspicions(ids) {
      const rows = await db.rows<{ message_id: string; starts: number; in_work: boolean }>(
        // A time later than now was stored while the clock of the database was ahead, so it is no recent heartbeat.
        sql`select message_id, starts, starts > 0 and abs(extract(epoch from now() - alive_at)) < ${aliveMs / 1_000}::float8 as in_work
          from suspect_starts where consumer = ${consumer} and message_id = any(${ids}::text[])`,
      )
      return new Map(rows.map((row) => [row.message_id, { starts: row.starts, inWork: row.in_work }]))
    },
    async started(id) {
      await db.run(sql`insert into suspect_starts (consumer, message_id, starts) values (${consumer}, ${id}, 1)
        on conflict (consumer, message_id) do update set starts = suspect_starts.starts + 1, alive_at = now()`)
    },
    async alive(id) {
      await db.run(sql`update suspect_starts set alive_at = now() where consumer = ${consumer} and message_id = ${id}`)
    },
    async startReverted(id) {
      await db.run(
        sql`update suspect_starts set starts = greatest(starts - 1, 0) where consumer = ${consumer} and message_id = ${id}`,
      )
    },
    async ended(ids) {
      await db.run(sql`delete from suspect_starts where consumer = ${consumer} and message_id = any(${ids}::text[])`)
    },
  }
  return deliveries
}
