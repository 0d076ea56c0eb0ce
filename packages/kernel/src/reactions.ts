/** Starts the consumers of reactions and job queues. They pass events and jobs to the handlers. */
import { eventStream, jobStream, type Worker } from '@murmuration/bus'
import { type AnyEvent, type AnyJob, DEFAULT_RETRY } from '@murmuration/contracts/kit'
import { type BatchOptions, createBatcher } from '@murmuration/flow'
import type { JobEntry, JobMeta, ReactionEntry } from './handlers.js'
import { durableOf, queueOf, type RolePlan } from './manifest.js'
import { PermanentError, parse, startConsumer, type WorkContext } from './messages.js'
import type { ReceivedMessage } from './suspect-runs.js'
import { PART } from './suspects.js'

export { LEASE_MS, PermanentError, type WorkContext } from './messages.js'

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
  const together = taker<unknown>(work.ctx, entry, JOBS)
  const take = (data: unknown, meta: JobMeta) => (together ? together(data) : entry.run(work.ctx, data, meta))
  const processed = async ({ id }: ReceivedMessage) => {
    if (/^\d+$/.test(id)) await work.markProcessed({ consumer, eventId: id })
  }
  const { divide, gaveUp } = entry
  return startConsumer(work, {
    consumer,
    stream: jobStream(work.service),
    concurrency: entry.job.concurrency,
    timeoutMs: entry.job.timeoutMs,
    delays: entry.job.retry.delays,
    times: entry.job.retry.times,
    async run(one, free) {
      const { id, data, message } = one
      await take(parse(message, data, entry.job.data), { id, tries: message.info.deliveryCount, free })
      await processed(one)
    },
    ...(divide && {
      partsOf: (one: ReceivedMessage): readonly ReceivedMessage[] => {
        const parsed = entry.job.data.safeParse(jsonOf(one.data))
        const parts = parsed.success ? divide(parsed.data) : []
        if (parts.length < 2) return [one]
        return parts.map((part, i) => ({ ...one, id: `${one.id}${PART}${i + 1}`, data: JSON.stringify(part) }))
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

/** Data of a dead letter, as its handler receives them when an operator restores it. */
const restoredData = (contract: AnyEvent | AnyJob, entry: JobEntry | undefined, text: string) => {
  const data = contract.data.parse(JSON.parse(text))
  return contract.data.parse(entry?.restored?.(data) ?? data)
}

/**
 * Handles the event or job of a dead letter again, in this process. Then records the event as processed, so that the
 * reconciler does not publish it again.
 */
export const rerun = async (
  work: WorkContext,
  entries: { reactions: readonly ReactionEntry[]; jobs: readonly JobEntry[] },
  letter: { consumer: string; message_id: string; data: string },
): Promise<void> => {
  const reaction = entries.reactions.find((one) => durableOf(work.service, one) === letter.consumer)
  const queue = entries.jobs.find((one) => queueOf(one.job) === letter.consumer)
  const contract = reaction?.event ?? queue?.job
  if (!contract) throw new PermanentError(`nothing here is called ${letter.consumer}`)
  const data = restoredData(contract, queue, letter.data)
  const id = letter.message_id
  const event = { ...data, eventId: id, at: 0, consumer: letter.consumer }
  if (reaction) await reaction.run(work.ctx, Object.assign(event, { at: Number(BigInt(id) >> 16n) }))
  else await queue?.run(work.ctx, data, { id, tries: 1 })
  if (/^\d+$/.test(id)) await work.markProcessed(event)
}

/**
 * Handles a dead letter again, like `rerun`. A job whose queue no role of this process serves is queued again, because
 * only other processes can run it. For example, only they have internet access.
 */
export const rerunOrQueue = async (
  work: WorkContext,
  entries: Parameters<typeof rerun>[1],
  plans: readonly (readonly [string, Pick<RolePlan, 'jobs'>])[],
  letter: Parameters<typeof rerun>[2],
  queue: (job: AnyJob, data: unknown) => Promise<void>,
): Promise<void> => {
  const entry = entries.jobs.find((one) => queueOf(one.job) === letter.consumer)
  if (entry === undefined || plans.some(([, plan]) => plan.jobs?.includes(entry.job)))
    return rerun(work, entries, letter)
  await queue(entry.job, restoredData(entry.job, entry, letter.data))
  if (/^\d+$/.test(letter.message_id))
    await work.markProcessed({ consumer: letter.consumer, eventId: letter.message_id })
}
