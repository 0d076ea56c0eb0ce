/** Starts the consumers of reactions and job queues. They pass events and jobs to the handlers. */
import { eventStream, jobStream, type Worker } from '@murmuration/bus'
import { DEFAULT_RETRY } from '@murmuration/contracts/kit'
import { type BatchOptions, createBatcher } from '@murmuration/flow'
import { createDefectLimit } from './defect-limit.js'
import type { JobEntry, JobMeta, ReactionEntry } from './handlers.js'
import { durableOf, queueOf } from './manifest.js'
import { PermanentError, parse, startConsumer, type WorkContext } from './messages.js'
import type { StoredLetter } from './replay.js'
import { ownRequest, within } from './request.js'
import type { ReceivedMessage } from './suspect-runs.js'
import { partId } from './suspects.js'

export { LEASE_MS, PermanentError, type WorkContext } from './messages.js'
export { partId } from './suspects.js'

export const REACTION_TIMEOUT_MS = 30_000

const MAX_TOGETHER = 100
/**
 * Limits of batches of events. EVENTS_PAUSE_MS milliseconds pass between two batches, in which further events are
 * collected. Batches of jobs have no pause, because a job is more work than an event.
 */
const EVENTS = { max: MAX_TOGETHER, concurrency: 2 }
const EVENTS_PAUSE_MS = 50
const JOBS = { max: MAX_TOGETHER, concurrency: 4 }

/** Returns a function that passes an event or job to its handler `runAll` in a batch; undefined for handlers without `runAll`. */
const taker = <T>(
  ctx: unknown,
  { runAll }: { runAll?: (ctx: unknown, all: readonly T[]) => Promise<void> },
  how: BatchOptions<T>,
) => runAll && createBatcher<T>((all) => runAll(ctx, all), how)

/** Starts the consumer of a reaction. Processed events are recorded, so that a repeated one has no second effect. */
export const startReaction = (work: WorkContext, entry: ReactionEntry): Worker => {
  const consumer = durableOf(work.service, entry)
  const take =
    taker<unknown>(work.ctx, entry, { ...EVENTS, pauseMs: work.batchPause(EVENTS_PAUSE_MS) }) ??
    ((e: unknown) => entry.run(work.ctx, e))
  return startConsumer(work, {
    consumer,
    stream: eventStream(entry.event.service),
    concurrency: entry.concurrency,
    timeoutMs: REACTION_TIMEOUT_MS,
    delays: DEFAULT_RETRY.delays,
    times: DEFAULT_RETRY.times,
    async run({ id: eventId, data, message }) {
      if (!/^\d+$/.test(eventId)) throw new PermanentError('no event id')
      // The time of an event is part of its id, so messages do not contain it as a separate field.
      const at = Number(BigInt(eventId) >> 16n)
      const e = { ...parse(message, data, entry.event.data), eventId, at, consumer }
      await take(e)
      await work.markProcessed(e)
    },
  })
}

/** Starts the consumer of the jobs of one queue. */
export const startQueue = (work: WorkContext, entry: JobEntry): Worker => {
  const consumer = queueOf(entry.job)
  const { runAll } = entry
  const together =
    runAll &&
    createBatcher<{ data: unknown; meta: JobMeta }>(
      (all) =>
        runAll(
          work.ctx,
          all.map((one) => one.data),
          all.map((one) => one.meta),
        ),
      JOBS,
    )
  const take = (data: unknown, meta: JobMeta) => (together ? together({ data, meta }) : entry.run(work.ctx, data, meta))
  const processed = async ({ id }: ReceivedMessage) => {
    if (/^\d+$/.test(id)) await work.markProcessed({ consumer, eventId: id })
  }
  const { divide, gaveUp } = entry
  const limitDefects = createDefectLimit(entry.job.retry)
  return startConsumer(work, {
    consumer,
    stream: jobStream(work.service),
    concurrency: entry.job.concurrency,
    timeoutMs: entry.job.timeoutMs,
    delays: entry.job.retry.delays,
    times: entry.job.retry.times,
    async run(one, free) {
      const { id, data, message } = one
      const meta = { id, tries: message.info.deliveryCount, free }
      await limitDefects(id, () => take(parse(message, data, entry.job.data), meta))
      await processed(one)
    },
    ...(divide && {
      partsOf: (one: ReceivedMessage): readonly ReceivedMessage[] => {
        const parsed = entry.job.data.safeParse(jsonOf(one.data))
        const parts = parsed.success ? divide(parsed.data) : []
        if (parts.length < 2) return [one]
        return parts.map((part, i) => ({ ...one, id: partId(one.id, i), data: JSON.stringify(part) }))
      },
      divided: processed,
    }),
    ...(gaveUp && {
      gaveUp: async ({ id, data }: ReceivedMessage): Promise<void> => {
        const parsed = entry.job.data.safeParse(jsonOf(data))
        // The data of an unreadable job are unknown, so no user can be notified.
        if (parsed.success) await gaveUp(work.ctx, parsed.data, { id })
      },
    }),
  })
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Handlers {
  reactions: readonly ReactionEntry[]
  jobs: readonly JobEntry[]
}

/** The job of a dead letter, with the data of a replay; null for an event. Throws if the data do not match the contract. */
export const restoredJob = ({ jobs }: Pick<Handlers, 'jobs'>, letter: Pick<StoredLetter, 'consumer' | 'data'>) => {
  const entry = jobs.find((one) => queueOf(one.job) === letter.consumer)
  if (!entry) return null
  const { job, restored } = entry
  const data = job.data.parse(JSON.parse(letter.data))
  return { job, data: job.data.parse(restored?.(data) ?? data) }
}

/**
 * Handles the event of a dead letter again, in this process. Then records the event as processed, so that the
 * reconciler does not publish it again.
 */
export const rerunEvent = async (
  work: WorkContext,
  { reactions }: Pick<Handlers, 'reactions'>,
  { consumer, message_id: eventId, data }: StoredLetter,
): Promise<void> => {
  const entry = reactions.find((one) => durableOf(work.service, one) === consumer)
  if (!entry) throw new PermanentError(`nothing here is called ${consumer}`)
  const at = Number(BigInt(eventId) >> 16n)
  const event = { ...(entry.event.data.parse(JSON.parse(data)) as object), eventId, at, consumer }
  // The handler has its own time limit, because the request of the operator is shorter.
  await within(ownRequest(REACTION_TIMEOUT_MS), () => entry.run(work.ctx, event))
  await work.markProcessed(event)
}
