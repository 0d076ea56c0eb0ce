/** The outbox: an event is a row in the transaction of its change, and is published after the commit. */

import { type BatchedEvent, eventBatches, type Outgoing, type Publisher, writeEventBatch } from '@murmuration/bus'
import type { AnyEvent, AnyJob } from '@murmuration/contracts/kit'
import { asyncCommit, bigints, type Database, type Sql, sql, type Tx } from '@murmuration/db'
import { createBatcher } from '@murmuration/flow'
import type { z } from 'zod'
import type { Faults } from './faults.js'
import type { Ids } from './ids.js'
import type { Log } from './log.js'
import { outboxOldest, outboxUnsent, relayed } from './metrics.js'
import { currentRequest, outsideRequest } from './request.js'
import { inSteps } from './steps.js'
import { activeTraceparent } from './trace.js'

interface Row {
  id: string
  subject: string
  data: string
  trace: string | null
  replays?: number
}

/**
 * Stores an event in the outbox, in the transaction of its change. The event is published after the commit. No other
 * function publishes events.
 */
export type Announce = <E extends AnyEvent>(tx: Tx, event: E, ...data: z.input<E['data']>[]) => Promise<void>

/** Stores jobs in the outbox, in the transaction of their change. The jobs are queued after the commit. */
export type Queue = <J extends AnyJob>(tx: Tx, job: J, ...data: z.input<J['data']>[]) => Promise<void>

/** First token of the subjects of events or jobs. */
type Kind = 'evt' | 'job'

export interface Outbox {
  announce: Announce
  queue: Queue
  /** Stores one job in the outbox, like `queue`. Returns the id that the consumer of the job records. */
  queueOne<J extends AnyJob>(tx: Tx, job: J, data: z.input<J['data']>): string
  /** Publishes rows of processes that ended before they published them. Returns the number of published rows. */
  sweep(): Promise<number>
  /** Publishes rows again that may have been lost with a stream. `kind` is the first token of their subjects. */
  resend(kind: Kind): Promise<number>
  /** Waits at most `ms` milliseconds until all events and jobs in memory are published. */
  flush(ms: number): Promise<void>
  state(): Promise<{ unsent: number; oldestSeconds: number }>
}

const MAX_QUEUE = 10_000
/** Maximum up to which unsent rows are counted, because after hours without the bus there may be millions. */
const MAX_COUNTED = 1_000_000
const BATCH = 500
/** Maximum number of batches of each kind in one sweep. */
const SWEEP_STEPS = 10
/** Milliseconds between two batches of events, in which further events are collected. A single event is sent immediately. */
const RELAY_MS = 50
const RELAY_BURST_MS = 100
/** Minimum number of rows of a batch that counts as a burst. One transaction writes fewer rows. */
const RELAY_BURST = 16
/**
 * Milliseconds for which published rows are collected, to be marked in one statement. Much shorter than the age at
 * which the sweep publishes unmarked rows.
 */
const MARK_MS = 100
/** Minimum milliseconds between two warnings that the bus refuses messages. */
const LOG_EACH_MS = 60_000

const batchedEventOf = (row: Row): BatchedEvent & { row: Row } => ({
  id: row.id,
  trace: row.trace ?? '',
  data: row.data,
  row,
})

/** Messages for outbox rows: events of one subject in batches, jobs one by one. */
const messagesOf = (service: string, rows: readonly Row[]): { message: Outgoing; rows: Row[] }[] =>
  [...Map.groupBy(rows, (row) => row.subject)].flatMap(([subject, own]) => {
    const events = own.map(batchedEventOf)
    const batches = subject.startsWith('evt.') ? eventBatches(events) : events.map((event) => [event])
    return batches.map((batch) => {
      const [first, last] = [batch[0], batch.at(-1)] as [BatchedEvent, BatchedEvent]
      const id = batch.length === 1 ? `${service}-${first.id}` : `${service}-${first.id}-${last.id}-${batch.length}`
      return { message: writeEventBatch(subject, id, batch), rows: batch.map((event) => event.row) }
    })
  })

/**
 * Message for one row that the sweep publishes. A job has its first message id, so that the bus drops a duplicate. An
 * event may have been sent in a batch, so `#` in its message id marks it as a possible duplicate.
 */
const againOf = (service: string, row: Row) => {
  const isFirst = !row.replays && row.subject.startsWith('job.')
  const id = isFirst ? `${service}-${row.id}` : `${service}-${row.id}#${row.replays ?? 0}`
  return { message: writeEventBatch(row.subject, id, [batchedEventOf(row)]), rows: [row] }
}

/**
 * SQL condition: the process that stored the row has had time to publish it. A row that is much later than now was
 * stored while the clock of the database was ahead.
 */
const isLate = sql`(created_at < now() - interval '2 seconds' or created_at > now() + interval '2 minutes')`

/** The next rows of one kind to sweep. */
export const unsentRows = (kind: Kind): Sql => sql`select id, subject, data, trace, replays from outbox
  where sent_at is null and left(subject, 3) = ${kind} and ${isLate}
  order by replays, id limit ${BATCH} for update skip locked`

/**
 * Creates the outbox of a service. After a commit, events and jobs are published from memory within milliseconds. If
 * the process ends before that, the sweep publishes their rows.
 */
export const createOutbox = (options: {
  service: string
  db: Database
  publisher: Publisher
  ids: Ids
  faults: Faults
  log: Log
  batchPause(ms: number): number
}): Outbox => {
  const { service, db, publisher, ids, faults, log, batchPause } = options
  const written = new WeakMap<Tx, Row[]>()

  const stays = (error: unknown) => log.warn({ error }, 'events stay in the outbox until the sweep publishes them')
  const mark = createBatcher(
    (sent: readonly string[]) =>
      db
        .run(sql`update outbox set sent_at = now() from ${asyncCommit} where id = any(${bigints(sent)})`)
        .then(() => undefined, stays),
    { pauseMs: batchPause(MARK_MS), max: 2 * BATCH, retryAlone: false, runIn: outsideRequest },
  )
  let loggedAt = Number.NEGATIVE_INFINITY
  const refused = (error: unknown): void => {
    if (performance.now() - loggedAt < LOG_EACH_MS) return
    loggedAt = performance.now()
    log.warn({ error }, 'events stay in the outbox until the bus accepts them')
  }
  /** Publishes messages. Returns the rows of the messages that the bus acknowledged. */
  const publish = async (messages: readonly { message: Outgoing; rows: readonly Row[] }[]): Promise<Row[]> => {
    const stored = await publisher.publish(
      messages.map((one) => one.message),
      refused,
    )
    await faults.reach('relay.afterPubAck')
    return messages.filter((one) => stored.has(one.message.id)).flatMap((one) => one.rows)
  }
  const send = async (rows: readonly Row[]): Promise<void> => {
    const sent = await publish(messagesOf(service, rows))
    relayed.inc({ service, how: 'direct' }, sent.length)
    // The update is not awaited. If it fails, the sweep publishes the rows again. The bus drops duplicate jobs, and
    // consumers skip duplicate events.
    for (const row of sent) mark(row.id)
  }
  const relay = createBatcher((rows: readonly Row[]) => send(rows).catch(stays), {
    pauseMs: batchPause(RELAY_MS),
    burst: { size: RELAY_BURST, pauseMs: batchPause(RELAY_BURST_MS) },
    max: BATCH,
    retryAlone: false,
    runIn: outsideRequest,
  })

  /** Adds events or jobs to the transaction. They are stored in one statement at its end. */
  const put = (tx: Tx, subject: string, texts: readonly string[]): string[] => {
    if (texts.length === 0) return []
    const trace = activeTraceparent(currentRequest()?.traceparent)
    const fresh = texts.map((data) => ({ id: ids.next(), subject, data, trace }))
    const freshIds = fresh.map((row) => row.id)
    const known = written.get(tx)
    if (known) {
      known.push(...fresh)
      return freshIds
    }
    const rows: Row[] = fresh
    written.set(tx, rows)
    tx.atEnd(
      () => sql`insert into outbox (id, subject, data, trace) select * from unnest(
        ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.subject)}::text[],
        ${rows.map((row) => row.data)}::text[], ${rows.map((row) => row.trace)}::text[])`,
    )
    tx.onCommit(() => {
      // Rows that exceed the queue in memory are published by the sweep.
      if (relay.waiting() < MAX_QUEUE) for (const row of rows) relay(row)
    })
    return freshIds
  }

  /**
   * Publishes one batch of rows of processes that ended before they published them. Rows that were published before are
   * last, because they may be copies of messages that the bus still has.
   */
  const sweepBatch = (kind: Kind): Promise<number> =>
    db.tx(async (tx) => {
      const rows = await tx.rows<Row>(unsentRows(kind))
      if (rows.length === 0) return 0
      // The rows are locked until their publication ends, so that two sweeps do not publish the same rows.
      const sent = (await publish(rows.map((row) => againOf(service, row)))).map((row) => row.id)
      if (sent.length) await tx.run(sql`update outbox set sent_at = now() where id = any(${bigints(sent)})`)
      relayed.inc({ service, how: 'sweep' }, sent.length)
      return sent.length
    })

  /** Sweeps events and jobs separately, so that jobs that a full stream refuses do not delay events. */
  const sweep = async (): Promise<number> => {
    // If no row waits, the sweep is only this statement, without a transaction.
    const isWaiting = sql`select 1 from outbox where sent_at is null and ${isLate}`
    if (!(await db.exists(isWaiting))) return 0
    const all = (kind: Kind) => inSteps({ size: BATCH, steps: SWEEP_STEPS }, () => sweepBatch(kind))
    const [events, jobs] = await Promise.all([all('evt'), all('job')])
    return events + jobs
  }

  return {
    announce: async (tx, event, ...data) => {
      put(
        tx,
        event.subject,
        data.map((one) => JSON.stringify(event.data.parse(one))),
      )
    },
    queue: async (tx, job, ...data) => {
      put(
        tx,
        job.subject,
        data.map((one) => JSON.stringify(job.data.parse(one))),
      )
    },
    queueOne: (tx, job, data) => put(tx, job.subject, [JSON.stringify(job.data.parse(data))])[0] as string,
    sweep,
    resend: (kind) =>
      db.run(sql`update outbox set sent_at = null, replays = replays + 1
        where subject like ${`${kind}.%`} and sent_at is not null and reconciled_at is null and created_at > now() - interval '7 days'`),
    async flush(ms) {
      const all = relay.flush().then(() => mark.flush())
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, ms))])
    },
    async state() {
      const isWaiting = await db.exists(sql`select 1 from outbox where sent_at is null`)
      const row = isWaiting
        ? await db.row<{ unsent: number; oldest: number | null }>(
            sql`select (select count(*)::int from (select 1 from outbox where sent_at is null limit ${MAX_COUNTED}) few) as unsent,
              (select extract(epoch from now() - created_at)::float8 from outbox where sent_at is null order by id limit 1) as oldest`,
          )
        : null
      const state = { unsent: row?.unsent ?? 0, oldestSeconds: row?.oldest ?? 0 }
      outboxUnsent.set({ service }, state.unsent)
      outboxOldest.set({ service }, state.oldestSeconds)
      return state
    },
  }
}
