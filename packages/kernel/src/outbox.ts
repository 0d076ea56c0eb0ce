/** The outbox: an event is a row in the transaction of the change, and leaves from there once it is committed. */
import type { Publisher } from '@murmuration/bus'
import type { AnyEvent, AnyJob } from '@murmuration/contracts/kit'
import { type Database, sql, type Tx } from '@murmuration/db'
import type { z } from 'zod'
import type { Faults } from './faults.js'
import type { Ids } from './ids.js'
import type { Log } from './log.js'
import { outboxOldest, outboxUnsent, relayed } from './metrics.js'
import { currentRequest } from './request.js'
import { activeTraceparent } from './trace.js'

interface Row {
  id: string
  subject: string
  data: string
  trace: string | null
  replays?: number
}

/** Publishes one event with the change it tells of. The only way to publish an event. */
export type Announce = <E extends AnyEvent>(tx: Tx, event: E, ...data: z.input<E['data']>[]) => Promise<void>

/** Queues jobs with the change they belong to. */
export type Queue = <J extends AnyJob>(tx: Tx, job: J, ...data: z.input<J['data']>[]) => Promise<void>

export interface Outbox {
  announce: Announce
  queue: Queue
  /** Publishes rows that a dead process left behind. Returns how many. */
  sweep(): Promise<number>
  /** Sends again what the reconciler has not yet confirmed, after a stream was lost. `kind` is the first word of the subjects. */
  resend(kind: 'evt' | 'job'): Promise<number>
  /** Waits until everything announced here was published, at most `ms`. */
  flush(ms: number): Promise<void>
  state(): Promise<{ unsent: number; oldestSeconds: number }>
}

const MAX_QUEUE = 10_000
const BATCH = 500

const message = (service: string, row: Row) => ({
  subject: row.subject,
  data: row.data,
  id: row.replays ? `${service}-${row.id}#${row.replays}` : `${service}-${row.id}`,
  headers: { 'Event-Id': row.id, traceparent: row.trace ?? '' },
})

/** Events whose process is alive leave within milliseconds from memory; the sweep finds the others by state (rule 17). */
export const createOutbox = (options: {
  service: string
  db: Database
  publisher: Publisher
  ids: Ids
  faults: Faults
  log: Log
}): Outbox => {
  const { service, db, publisher, ids, faults, log } = options
  const queue: Row[] = []
  let busy: Promise<void> | undefined

  const send = async (rows: readonly Row[]): Promise<number> => {
    const stored = await publisher.publish(rows.map((row) => message(service, row)))
    await faults.reach('relay.afterPubAck')
    const sent = rows.filter((row) => stored.has(message(service, row).id)).map((row) => row.id)
    if (sent.length) await db.run(sql`update outbox set sent_at = now() where id = any(${sent}::bigint[])`)
    return sent.length
  }

  const drain = async (): Promise<void> => {
    while (queue.length) {
      const rows = queue.splice(0, BATCH)
      try {
        relayed.inc({ service, how: 'direct' }, await send(rows))
      } catch (error) {
        log.warn({ error, rows: rows.length }, 'events stay in the outbox until the bus takes them')
      }
    }
    busy = undefined
  }

  const put = async (tx: Tx, subject: string, texts: readonly string[]): Promise<void> => {
    if (texts.length === 0) return
    const trace = activeTraceparent(currentRequest()?.traceparent)
    const rows = texts.map((data) => ({ id: ids.next(), subject, data, trace }))
    await tx.run(sql`insert into outbox (id, subject, data, trace)
      select id, ${subject}, data, ${trace} from unnest(${rows.map((row) => row.id)}::bigint[], ${texts}::text[]) as fresh(id, data)`)
    tx.onCommit(() => {
      // A full queue is no loss: the sweep takes what is left out here.
      if (queue.length < MAX_QUEUE) queue.push(...rows)
      busy ??= drain()
    })
  }

  return {
    announce: (tx, event, ...data) =>
      put(
        tx,
        event.subject,
        data.map((one) => JSON.stringify(event.data.parse(one))),
      ),
    queue: (tx, job, ...data) =>
      put(
        tx,
        job.subject,
        data.map((one) => JSON.stringify(job.data.parse(one))),
      ),
    async sweep() {
      return db.tx(async (tx) => {
        const rows = await tx.rows<Row>(sql`select id, subject, data, trace, replays from outbox
          where sent_at is null and created_at < now() - interval '2 seconds' order by id limit ${BATCH} for update skip locked`)
        if (rows.length === 0) return 0
        // The rows stay locked while they are published, so that two sweepers never send the same ones.
        const stored = await publisher.publish(rows.map((row) => message(service, row)))
        await faults.reach('relay.afterPubAck')
        const sent = rows.filter((row) => stored.has(message(service, row).id)).map((row) => row.id)
        if (sent.length) await tx.run(sql`update outbox set sent_at = now() where id = any(${sent}::bigint[])`)
        relayed.inc({ service, how: 'sweep' }, sent.length)
        return sent.length
      })
    },
    resend: (kind) =>
      db.run(sql`update outbox set sent_at = null, replays = replays + 1
        where subject like ${`${kind}.%`} and sent_at is not null and reconciled_at is null and created_at > now() - interval '7 days'`),
    async flush(ms) {
      await Promise.race([busy, new Promise((resolve) => setTimeout(resolve, ms))])
    },
    async state() {
      const row = await db.row<{ unsent: number; oldest: number | null }>(
        sql`select count(*)::int as unsent, extract(epoch from now() - min(created_at))::float8 as oldest from outbox where sent_at is null`,
      )
      const state = { unsent: row?.unsent ?? 0, oldestSeconds: row?.oldest ?? 0 }
      outboxUnsent.set({ service }, state.unsent)
      outboxOldest.set({ service }, state.oldestSeconds)
      return state
    },
  }
}

/**
 * Runs `effect` unless this reaction already had this event: the note that it did and the effect commit together.
 * @returns false when it had been done before.
 */
export const once = async (
  tx: Tx,
  event: { consumer: string; eventId: string },
  effect: () => Promise<unknown>,
): Promise<boolean> => {
  const fresh = await tx.run(
    sql`insert into consumed (consumer, event_id) values (${event.consumer}, ${event.eventId}) on conflict do nothing`,
  )
  if (fresh === 0) return false
  await effect()
  return true
}
