/**
 * Handles the messages of one durable consumer, with deadlines, retries and dead letters. A message that may have
 * crashed a process runs alone.
 */
import {
  isReadable,
  type JsMsg,
  type NatsConnection,
  ReturnToQueue,
  readEventBatch,
  startWorker,
  type Worker,
} from '@murmuration/bus'
import { Failure, isRetryable, isTrouble } from '@murmuration/contracts/kit'
import { bigints, type Database, sql } from '@murmuration/db'
import type { Faults } from './faults.js'
import type { Ids } from './ids.js'
import type { Log } from './log.js'
import { deadLetters, messageSeconds } from './metrics.js'
import { droppedOf, type MarkProcessed } from './processed-log.js'
import { ownRequest, within } from './request.js'
import type { SuspectLock } from './suspect-lock.js'
import { type ReceivedMessage, runSuspects, WorkerCrashed } from './suspect-runs.js'
import { createDeliveries, type Deliveries } from './suspects.js'
import { traced } from './trace.js'

/** Thrown by jobs and reactions when another try cannot succeed. */
export class PermanentError extends Error {
  readonly reason: string
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

export interface WorkContext {
  service: string
  ctx: unknown
  nc: NatsConnection
  db: Database
  /** Records that a consumer handled a message. */
  markProcessed: MarkProcessed
  ids: Ids
  log: Log
  faults: Faults
  /** Lock that makes suspect messages run alone, shared by all consumers of the process. */
  suspectLock: SuspectLock
  /** `delivered` is called with each message that is delivered for the first time. `storedAt` is in milliseconds since 1970. */
  delivered?(consumer: string, storedAt: number): void
  batchPause(ms: number): number
  /** `onMissing` is called when a consumer or its stream is missing. */
  onMissing?(): void
  /** Milliseconds without progress after which a consumer counts as stuck; 0 for never. */
  stuckAfterMs: number
}

/**
 * Milliseconds without a heartbeat until a message is redelivered to another process. A heartbeat is sent after every
 * third of this time. So the messages of a killed process are redelivered after this time (F006, F007).
 */
export const LEASE_MS = 15_000
/**
 * Maximum age in milliseconds of the last heartbeat of a running handler. Less than the time from a crash to the
 * redelivery, so that a crashed handler does not count as running.
 */
const ALIVE_MS = LEASE_MS / 2

/** Reads the data of a message by its contract. Throws PermanentError when the data do not match the contract. */
export const parse = (
  message: JsMsg,
  data: string,
  schema: { safeParse(v: unknown): { success: boolean; data?: unknown } },
): Record<string, unknown> => {
  if (!isReadable(message.headers?.get('Version') ?? '')) throw new PermanentError('another version')
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch (error) {
    throw new PermanentError('not JSON', error)
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new PermanentError('not what the contract says')
  return parsed.data as Record<string, unknown>
}

export interface Plan {
  consumer: string
  stream: string
  concurrency: number
  timeoutMs: number
  delays: readonly number[]
  times: number
  run(one: ReceivedMessage, free: () => void): Promise<void>
  /**
   * Parts of a suspect job that run one by one, so that a part that crashes the process affects no other part. Absent
   * for events.
   */
  partsOf?(one: ReceivedMessage): readonly ReceivedMessage[]
  /** Called when each part of a divided suspect job is done or a dead letter. */
  divided?(one: ReceivedMessage): Promise<void>
  /** Called when the dead letter of a job is stored. If it fails, the message is redelivered. */
  gaveUp?(one: ReceivedMessage): Promise<void>
}

const reasonOf = (error: unknown): string =>
  error instanceof PermanentError
    ? error.reason
    : error instanceof Failure
      ? error.code
      : error instanceof Error
        ? error.name
        : 'unknown'

const isPermanent = (error: unknown): boolean =>
  error instanceof PermanentError || error instanceof WorkerCrashed || (error instanceof Failure && !isRetryable(error))
const delayOf = (error: unknown): number | undefined => (error instanceof Failure ? error.extras.retryAfter : undefined)

/** Metrics of one consumer with their labels, because looking up labels for each message costs more than counting. */
const secondsOf = (consumer: string) => ({
  done: messageSeconds.labels({ consumer, outcome: 'done' }),
  failed: messageSeconds.labels({ consumer, outcome: 'failed' }),
})

type Failed = readonly { one: ReceivedMessage; error: unknown }[]

/** Error with the failed events or jobs of a message. The other events of its batch are recorded as processed. */
class Unfinished extends Error {
  readonly failed: Failed
  constructor(failed: Failed) {
    super('a part of the message failed')
    this.failed = failed
  }
}

const carriedBy = (message: JsMsg): ReceivedMessage[] => readEventBatch(message).map((one) => ({ ...one, message }))

/** True for a message that the outbox published again. */
const isResent = (message: JsMsg): boolean => message.headers?.get('Nats-Msg-Id').includes('#') ?? false

/**
 * Returns the events that were neither recorded as processed nor given up because they crash processes. Events whose
 * dead letter was dropped count as processed. Jobs of consumers with `gaveUp` are an exception, because `notGivenUp`
 * checks them. A first delivery of a first publication cannot be a duplicate, so it is not looked up.
 */
const unhandled = async (
  work: WorkContext,
  { consumer, gaveUp }: Plan,
  all: readonly ReceivedMessage[],
): Promise<readonly ReceivedMessage[]> => {
  const [first] = all
  // A single event or job may be redelivered after it was processed: the process ended before the acknowledgement.
  const isAgain = first !== undefined && (isResent(first.message) || first.message.info.deliveryCount > 1)
  const ids = all.map((one) => one.id).filter((id) => /^\d+$/.test(id))
  if (!isAgain || ids.length === 0) return all
  const rows = await work.db.rows<{ event_id: string }>(
    sql`select event_id from consumed
        where consumer = any(${gaveUp ? [consumer] : [consumer, droppedOf(consumer)]}::text[])
          and event_id = any(${bigints(ids)})
      union all select message_id::bigint from dead_letters
      where not ${gaveUp !== undefined} and consumer = ${consumer} and message_id = any(${ids}::text[])
        and reason = ${WorkerCrashed.reason}`,
  )
  const processed = new Set(rows.map((row) => row.event_id))
  return all.filter((one) => !processed.has(one.id))
}

/** Seconds until the redelivery of a job whose `gaveUp` failed. */
const GAVE_UP_AGAIN = 60

/**
 * States of jobs by id. `dead`: the job has a dead letter, or an operator dropped its dead letter. `processed`: the
 * handler succeeded, or an operator replayed the dead letter. Other jobs are absent.
 */
const statesOf = async (
  work: WorkContext,
  consumer: string,
  all: readonly ReceivedMessage[],
): Promise<ReadonlyMap<string, 'dead' | 'processed'>> => {
  const ids = all.map((one) => one.id)
  const rows = await work.db.rows<{ id: string; processed: boolean }>(sql`
    select message_id as id, false as processed from dead_letters
      where consumer = ${consumer} and message_id = any(${ids}::text[])
    union all select event_id::text, consumer = ${consumer} from consumed
      where consumer = any(${[consumer, droppedOf(consumer)]}::text[])
        and event_id = any(${bigints(ids.filter((id) => /^\d+$/.test(id)))})
    order by processed`)
  return new Map(rows.map((row) => [row.id, row.processed ? 'processed' : 'dead']))
}

const deadLetter = async (work: WorkContext, consumer: string, one: ReceivedMessage, error: unknown): Promise<void> => {
  const reason = reasonOf(error)
  await work.db.run(sql`insert into dead_letters (id, consumer, subject, message_id, data, reason, tries)
    values (${work.ids.next()}, ${consumer}, ${one.message.subject}, ${one.id}, ${one.data}, ${reason}, ${one.message.info.deliveryCount})
    on conflict (consumer, message_id) do update set at = now(), tries = excluded.tries, reason = excluded.reason`)
  deadLetters.inc({ consumer })
  work.log.error({ consumer, messageId: one.id, reason, error }, 'message given up; see dead letters')
}

/** Starts the worker of a consumer. */
export const startConsumer = (work: WorkContext, plan: Plan): Worker => {
  const { consumer } = plan
  // The metric exists from the start, because rates are computed from a previous value.
  deadLetters.inc({ consumer }, 0)
  const deliveries: Deliveries = createDeliveries(work.db, consumer, { aliveMs: ALIVE_MS, batchPause: work.batchPause })
  const seconds = secondsOf(consumer)

  /** Handles one event or job. Each has its own deadline and trace. */
  const attempt = async (one: ReceivedMessage, free: () => void): Promise<void> => {
    const started = performance.now()
    const finish = (outcome: keyof typeof seconds) => seconds[outcome].observe((performance.now() - started) / 1000)
    try {
      await within(ownRequest(plan.timeoutMs, one.trace), () =>
        traced(work.service, consumer, one.trace, () => plan.run(one, free), 'consumer'),
      )
      finish('done')
    } catch (error) {
      finish('failed')
      work.log[isPermanent(error) || !isTrouble(error) ? 'info' : 'warn'](
        { consumer, messageId: one.id, tries: one.message.info.deliveryCount, error },
        'message failed',
      )
      throw error
    }
    if (work.faults.planned) await work.faults.reach('consumer.afterEffect', one.id)
  }

  const runTogether = async (
    all: readonly ReceivedMessage[],
    free: () => void,
    stopping: AbortSignal,
  ): Promise<Failed> => {
    const leave = await work.suspectLock.enter(stopping)
    try {
      const results = await Promise.allSettled(all.map((one) => attempt(one, free)))
      return all.flatMap((one, i) => {
        const result = results[i] as PromiseSettledResult<void>
        return result.status === 'rejected' ? [{ one, error: result.reason }] : []
      })
    } finally {
      leave()
    }
  }

  const runAlone = async (all: readonly ReceivedMessage[], stopping: AbortSignal): Promise<Failed> => {
    const parts = all.flatMap((one) => plan.partsOf?.(one) ?? [one])
    const failed = await runSuspects(parts, {
      consumer,
      deliveries,
      suspectLock: work.suspectLock,
      log: work.log,
      beatMs: ALIVE_MS / 3,
      redeliverSeconds: LEASE_MS / 1_000,
      stopping,
      run: (one) => attempt(one, () => undefined),
    })
    if (parts.length > all.length && failed.every(({ error }) => isPermanent(error)))
      for (const one of all) await plan.divided?.(one)
    return failed
  }

  /** True when a handler of the message, or of another publication of one of its events, may have crashed a process. */
  const isSuspect = async (message: JsMsg, all: readonly ReceivedMessage[]): Promise<boolean> =>
    (await deliveries.isSuspect(message)) ||
    (isResent(message) && (await deliveries.suspicions(all.map((one) => one.id))).size > 0)

  const { gaveUp } = plan
  const reportGivenUp = async (one: ReceivedMessage): Promise<void> => {
    if (gaveUp) await within(ownRequest(plan.timeoutMs, one.trace), () => gaveUp(one))
  }

  /**
   * Calls `gaveUp` of redelivered or resent jobs that have a dead letter, or whose dead letter an operator dropped.
   * Their `gaveUp` failed before, or the message is a copy. Their handlers do not run again. Returns the jobs that
   * still have to run.
   */
  const notGivenUp = async (message: JsMsg, all: readonly ReceivedMessage[]): Promise<readonly ReceivedMessage[]> => {
    if (!gaveUp || (message.info.deliveryCount === 1 && !isResent(message))) return all
    const states = await statesOf(work, consumer, all)
    const given = all.filter((one) => states.get(one.id) === 'dead')
    try {
      await Promise.all(given.map(reportGivenUp))
    } catch (error) {
      work.log.warn(
        { consumer, messageIds: given.map((one) => one.id), error },
        'a job that was given up was not reported',
      )
      throw new ReturnToQueue(GAVE_UP_AGAIN, false)
    }
    if (given.length > 0) await deliveries.ended(given.map((one) => one.id))
    return all.filter((one) => !states.has(one.id))
  }

  const deadLetterAll = async (failed: Failed): Promise<void> => {
    await Promise.all(failed.map(({ one, error }) => deadLetter(work, consumer, one, error)))
    await Promise.all(failed.map(({ one }) => reportGivenUp(one)))
    await deliveries.ended(failed.map(({ one }) => one.id))
  }

  return startWorker(work.nc, {
    stream: plan.stream,
    durable: consumer,
    concurrency: plan.concurrency,
    delays: plan.delays,
    times: plan.times,
    ackWaitMs: LEASE_MS,
    // A handler should end by its deadline. The worker counts as stuck if it takes three times as long.
    stuckAfterMs: work.stuckAfterMs && Math.max(work.stuckAfterMs, 3 * plan.timeoutMs),
    onMissing: () => work.onMissing?.(),
    async work(message, free, stopping) {
      if (!message.redelivered) work.delivered?.(consumer, Number(message.timestampNanos / 1_000_000n))
      const left = await notGivenUp(message, await unhandled(work, plan, carriedBy(message)))
      const failed = (await isSuspect(message, left))
        ? await runAlone(left, stopping)
        : await runTogether(left, free, stopping)
      // If the record of a handled message cannot be deleted now, it is deleted later because of its age.
      if (failed.length === 0) return deliveries.handled(message).catch(() => undefined)
      const dead = failed.filter(({ error }) => isPermanent(error))
      // The message is redelivered for its unprocessed events. Events that were given up are dead letters by then, so
      // the redelivery skips them.
      if (dead.length < failed.length) await deadLetterAll(dead)
      throw new Unfinished(failed)
    },
    reported: (message) =>
      deliveries.reported(
        message,
        carriedBy(message).map((one) => one.id),
      ),
    isPermanent: (error) => error instanceof Unfinished && error.failed.every((it) => isPermanent(it.error)),
    delayOf: (error) =>
      error instanceof Unfinished ? Math.max(0, ...error.failed.map((it) => delayOf(it.error) ?? 0)) : undefined,
    async deadLetter(message, error) {
      if (error instanceof Unfinished) return deadLetterAll(error.failed)
      const left = await notGivenUp(message, await unhandled(work, plan, carriedBy(message)))
      await deadLetterAll(left.map((one) => ({ one, error })))
    },
    onTrouble: (error) => work.log.warn({ consumer, error }, 'a consumer failed'),
  })
}
