/** Running reactions and jobs: one durable each, repeated until done, buried in PostgreSQL after the last try. */
import {
  eventStream,
  isReadable,
  type JsMsg,
  jobStream,
  type NatsConnection,
  type Parcel,
  readBundle,
  startWorker,
  type Worker,
} from '@murmuration/bus'
import { Failure, isRetryable, isTrouble, usualRetry } from '@murmuration/contracts/kit'
import { bigints, type Database, sql } from '@murmuration/db'
import { type BatchOptions, createBatches } from './batches.js'
import type { JobDoor, JobMeta, ReactionDoor } from './doors.js'
import type { Faults } from './faults.js'
import type { Ids } from './ids.js'
import type { Log } from './log.js'
import { durableOf, queueOf } from './manifest.js'
import { deadLetters, messageSeconds } from './metrics.js'
import type { Note } from './notes.js'
import { ownRequest, within } from './request.js'
import { traced } from './trace.js'

/** Thrown by jobs and reactions when trying again cannot help: gone, malformed, refused. */
export class NeverAgain extends Error {
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
  /** Writes down that a consumer had a message. */
  note: Note
  ids: Ids
  log: Log
  faults: Faults
  /** Called with each message that is delivered for the first time, and when it was stored, in milliseconds. */
  delivered?(consumer: string, storedAt: number): void
  batchPause(ms: number): number
}

export const REACTION_TIMEOUT_MS = 30_000
/**
 * How long a message stays with a process that shows no sign of life. Work in hand says so every third of it, however
 * long it takes, so this is how soon another process takes over what a killed one had (F006, F007).
 */
export const LEASE_MS = 15_000

const parse = (
  message: JsMsg,
  data: string,
  schema: { safeParse(v: unknown): { success: boolean; data?: unknown } },
): Record<string, unknown> => {
  if (!isReadable(message.headers?.get('Version') ?? '')) throw new NeverAgain('another version')
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch (error) {
    throw new NeverAgain('not JSON', error)
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new NeverAgain('not what the contract says')
  return parsed.data as Record<string, unknown>
}

/** An event or a job on its way through a consumer, with the message that brought it. */
type Brought = Parcel & { message: JsMsg }

const bury = async (work: WorkContext, consumer: string, one: Brought, error: unknown): Promise<void> => {
  const reason =
    error instanceof NeverAgain
      ? error.reason
      : error instanceof Failure
        ? error.code
        : error instanceof Error
          ? error.name
          : 'unknown'
  await work.db.run(sql`insert into dead_letters (id, consumer, subject, message_id, data, reason, tries)
    values (${work.ids.next()}, ${consumer}, ${one.message.subject}, ${one.id}, ${one.data}, ${reason}, ${one.message.info.deliveryCount})
    on conflict (consumer, message_id) do update set at = now(), tries = excluded.tries, reason = excluded.reason`)
  deadLetters.inc({ consumer })
  work.log.error({ consumer, messageId: one.id, reason, error }, 'message given up; see dead letters')
}

const hopeless = (error: unknown): boolean =>
  error instanceof NeverAgain || (error instanceof Failure && !isRetryable(error))
const delayOf = (error: unknown): number | undefined => (error instanceof Failure ? error.extras.retryAfter : undefined)

interface Plan {
  consumer: string
  stream: string
  concurrency: number
  timeoutMs: number
  delays: readonly number[]
  times: number
  took: ReturnType<typeof tookBy>
  run(one: Brought, free: () => void): Promise<void>
}

/** The figures of one consumer: naming them anew for each message would cost more than counting. */
const tookBy = (consumer: string) => ({
  done: messageSeconds.labels({ consumer, outcome: 'done' }),
  failed: messageSeconds.labels({ consumer, outcome: 'failed' }),
})

/** Those that a message brought and that could not be worked on; the others are done and noted. */
class Unfinished extends Error {
  readonly failed: readonly { one: Brought; error: unknown }[]
  constructor(failed: Unfinished['failed']) {
    super('not everything that a message brought could be worked on')
    this.failed = failed
  }
}

const broughtBy = (message: JsMsg): Brought[] => readBundle(message).map((parcel) => ({ ...parcel, message }))

/** What was sent again may have been handled before, and of a message that came again a part; the first sending cannot have been. */
const unhandled = async (work: WorkContext, consumer: string, all: readonly Brought[]): Promise<readonly Brought[]> => {
  const [first] = all
  const isAgain =
    first?.message.headers?.get('Nats-Msg-Id').includes('#') ||
    (all.length > 1 && first !== undefined && first.message.info.deliveryCount > 1)
  const ids = all.map((one) => one.id).filter((id) => /^\d+$/.test(id))
  if (!isAgain || ids.length === 0) return all
  const rows = await work.db.rows<{ event_id: string }>(
    sql`select event_id from consumed where consumer = ${consumer} and event_id = any(${bigints(ids)})`,
  )
  const had = new Set(rows.map((row) => row.event_id))
  return all.filter((one) => !had.has(one.id))
}

/** What failed of a message: what an error names, or else all that it brought and nobody has had. */
const failedOf = async (
  work: WorkContext,
  consumer: string,
  { message, error }: { message: JsMsg; error: unknown },
): Promise<Unfinished['failed']> =>
  error instanceof Unfinished
    ? error.failed
    : (await unhandled(work, consumer, broughtBy(message))).map((one) => ({ one, error }))

/** Works on one of those that a message brought, with a deadline and a trace of its own. */
const attempt = async (work: WorkContext, plan: Plan, one: Brought, free: () => void): Promise<void> => {
  const started = performance.now()
  const finish = (outcome: keyof Plan['took']) => plan.took[outcome].observe((performance.now() - started) / 1000)
  try {
    await within(ownRequest(plan.timeoutMs, one.trace), () =>
      traced(work.service, plan.consumer, one.trace, () => plan.run(one, free), 'consumer'),
    )
    finish('done')
  } catch (error) {
    finish('failed')
    work.log[hopeless(error) || !isTrouble(error) ? 'info' : 'warn'](
      { consumer: plan.consumer, messageId: one.id, tries: one.message.info.deliveryCount, error },
      'message failed',
    )
    throw error
  }
}

const start = (work: WorkContext, plan: Plan): Worker => {
  const buryAll = (failed: Unfinished['failed']) =>
    Promise.all(failed.map(({ one, error }) => bury(work, plan.consumer, one, error)))
  return startWorker(work.nc, {
    stream: plan.stream,
    durable: plan.consumer,
    concurrency: plan.concurrency,
    delays: plan.delays,
    times: plan.times,
    ackWaitMs: LEASE_MS,
    async work(message, free) {
      if (!message.redelivered) work.delivered?.(plan.consumer, Number(message.timestampNanos / 1_000_000n))
      const left = await unhandled(work, plan.consumer, broughtBy(message))
      const results = await Promise.allSettled(left.map((one) => attempt(work, plan, one, free)))
      const failed = left.flatMap((one, i) => {
        const result = results[i] as PromiseSettledResult<void>
        return result.status === 'rejected' ? [{ one, error: result.reason }] : []
      })
      if (failed.length === 0) return
      const dead = failed.filter(({ error }) => hopeless(error))
      // The message comes again for the sake of the others, and finds this then as it is now.
      if (dead.length < failed.length) await buryAll(dead)
      throw new Unfinished(failed)
    },
    hopeless: (error) => error instanceof Unfinished && error.failed.every((it) => hopeless(it.error)),
    delayOf: (error) =>
      error instanceof Unfinished ? Math.max(0, ...error.failed.map((it) => delayOf(it.error) ?? 0)) : undefined,
    async bury(message, error) {
      await buryAll(await failedOf(work, plan.consumer, { message, error }))
    },
    onTrouble: (error) => work.log.warn({ consumer: plan.consumer, error }, 'consumer has trouble'),
    async afterEffect(message) {
      if (!work.faults.planned) return
      await Promise.all(broughtBy(message).map(({ id }) => work.faults.reach('consumer.afterEffect', id)))
    },
  })
}

const MOST_TOGETHER = 100
/** Events can wait so long for each other, so that a flood costs few pieces; jobs need not, they are the work itself. */
const EVENTS = { most: MOST_TOGETHER, lanes: 2 }
const EVENTS_PAUSE_MS = 50
const JOBS = { most: MOST_TOGETHER, lanes: 4 }

/** How a door takes one message: by itself, or in a piece with those that are there at the same time. */
const taker = <T>(
  ctx: unknown,
  { runAll }: { runAll?: (ctx: unknown, all: readonly T[]) => Promise<void> },
  how: BatchOptions,
) =>
  runAll &&
  createBatches<T, void>(async (all) => {
    await runAll(ctx, all)
    return []
  }, how)

export const startReaction = (work: WorkContext, door: ReactionDoor): Worker => {
  const consumer = durableOf(work.service, door)
  const take =
    taker<unknown>(work.ctx, door, { ...EVENTS, pauseMs: work.batchPause(EVENTS_PAUSE_MS) }) ??
    ((e: unknown) => door.run(work.ctx, e))
  return start(work, {
    consumer,
    stream: eventStream(door.event.service),
    concurrency: door.concurrency,
    timeoutMs: REACTION_TIMEOUT_MS,
    delays: usualRetry.delays,
    times: usualRetry.times,
    took: tookBy(consumer),
    async run({ id: eventId, data, message }) {
      if (!/^\d+$/.test(eventId)) throw new NeverAgain('no event id')
      // The time is in the id, so that nothing else need carry it.
      const at = Number(BigInt(eventId) >> 16n)
      const e = { ...parse(message, data, door.event.data), eventId, at, consumer }
      await take(e)
      await work.note(e)
    },
  })
}

export const startQueue = (work: WorkContext, door: JobDoor): Worker => {
  const together = taker<unknown>(work.ctx, door, JOBS)
  const take = (data: unknown, meta: JobMeta) => (together ? together(data) : door.run(work.ctx, data, meta))
  return start(work, {
    consumer: queueOf(door.job),
    stream: jobStream(work.service),
    concurrency: door.job.concurrency,
    timeoutMs: door.job.timeoutMs,
    delays: door.job.retry.delays,
    times: door.job.retry.times,
    took: tookBy(queueOf(door.job)),
    async run({ id, data, message }, free) {
      await take(parse(message, data, door.job.data), { id, tries: message.info.deliveryCount, free })
      if (/^\d+$/.test(id)) await work.note({ consumer: queueOf(door.job), eventId: id })
    },
  })
}

/** Runs a buried message again, here and now. */
export const redo = async (
  work: WorkContext,
  doors: { reactions: readonly ReactionDoor[]; jobs: readonly JobDoor[] },
  letter: { consumer: string; message_id: string; data: string },
): Promise<void> => {
  const reaction = doors.reactions.find((one) => durableOf(work.service, one) === letter.consumer)
  const queue = doors.jobs.find((one) => queueOf(one.job) === letter.consumer)
  const contract = reaction?.event ?? queue?.job
  if (!contract) throw new NeverAgain(`nothing here is called ${letter.consumer}`)
  const data = contract.data.parse(JSON.parse(letter.data))
  const id = letter.message_id
  if (reaction)
    await reaction.run(work.ctx, { ...data, eventId: id, at: Number(BigInt(id) >> 16n), consumer: letter.consumer })
  else await queue?.run(work.ctx, data, { id, tries: 1 })
}
