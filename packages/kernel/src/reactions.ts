/** Starts reactions and job queues: passes events and jobs from consumers to handlers. */
import { eventStream, jobStream, type Worker } from '@murmuration/bus'
import { type AnyJob, usualRetry } from '@murmuration/contracts/kit'
import { type BatchOptions, createBatcher } from '@murmuration/flow'
import type { JobEntry, JobMeta, ReactionEntry } from './handlers.js'
import { durableOf, queueOf, type RolePlan } from './manifest.js'
import { PermanentError, parse, startConsumer, type WorkContext } from './messages.js'
import type { Carried } from './suspect-runs.js'
import { PART } from './suspects.js'

export { LEASE_MS, PermanentError, type WorkContext } from './messages.js'

export const REACTION_TIMEOUT_MS = 30_000

const MAX_TOGETHER = 100
/**
 * Batches of events. An event waits EVENTS_PAUSE_MS for further events, so that many are handled together. Jobs do not
 * wait for each other, because jobs are larger.
 */
const EVENTS = { max: MAX_TOGETHER, concurrency: 2 }
const EVENTS_PAUSE_MS = 50
const JOBS = { max: MAX_TOGETHER, concurrency: 4 }

/** Function that passes an event or job to its handler, alone or in a batch; see `runAll`. */
const taker = <T>(
  ctx: unknown,
  { runAll }: { runAll?: (ctx: unknown, all: readonly T[]) => Promise<void> },
  how: BatchOptions<T>,
) => runAll && createBatcher<T>((all) => runAll(ctx, all), how)

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
    delays: usualRetry.delays,
    times: usualRetry.times,
    async run({ id: eventId, data, message }) {
      if (!/^\d+$/.test(eventId)) throw new PermanentError('no event id')
      // The time is part of the id, so messages do not contain it separately.
      const at = Number(BigInt(eventId) >> 16n)
      const e = { ...parse(message, data, entry.event.data), eventId, at, consumer }
      await take(e)
      await work.markProcessed(e)
    },
  })
}

export const startQueue = (work: WorkContext, entry: JobEntry): Worker => {
  const consumer = queueOf(entry.job)
  const together = taker<unknown>(work.ctx, entry, JOBS)
  const take = (data: unknown, meta: JobMeta) => (together ? together(data) : entry.run(work.ctx, data, meta))
  const processed = async ({ id }: Carried) => {
    if (/^\d+$/.test(id)) await work.markProcessed({ consumer, eventId: id })
  }
  const { divide } = entry
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
      partsOf: (one: Carried): readonly Carried[] => {
        const parsed = entry.job.data.safeParse(jsonOf(one.data))
        const parts = parsed.success ? divide(parsed.data) : []
        if (parts.length < 2) return [one]
        return parts.map((part, i) => ({ ...one, id: `${one.id}${PART}${i + 1}`, data: JSON.stringify(part) }))
      },
      divided: processed,
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

/**
 * Runs a dead letter again in this process. Afterwards the event is recorded as processed, so that it is not published
 * again.
 */
export const redo = async (
  work: WorkContext,
  entries: { reactions: readonly ReactionEntry[]; jobs: readonly JobEntry[] },
  letter: { consumer: string; message_id: string; data: string },
): Promise<void> => {
  const reaction = entries.reactions.find((one) => durableOf(work.service, one) === letter.consumer)
  const queue = entries.jobs.find((one) => queueOf(one.job) === letter.consumer)
  const contract = reaction?.event ?? queue?.job
  if (!contract) throw new PermanentError(`nothing here is called ${letter.consumer}`)
  const data = contract.data.parse(JSON.parse(letter.data))
  const id = letter.message_id
  const event = { ...data, eventId: id, at: 0, consumer: letter.consumer }
  if (reaction) await reaction.run(work.ctx, Object.assign(event, { at: Number(BigInt(id) >> 16n) }))
  else await queue?.run(work.ctx, data, { id, tries: 1 })
  if (/^\d+$/.test(id)) await work.markProcessed(event)
}

/**
 * Like `redo`, but a job of a queue that no role of this process works on is queued again, because only other
 * processes can run it, for example with internet access.
 */
export const redoWhereItRuns = async (
  work: WorkContext,
  entries: Parameters<typeof redo>[1],
  plans: readonly (readonly [string, Pick<RolePlan, 'jobs'>])[],
  letter: Parameters<typeof redo>[2],
  queue: (job: AnyJob, data: unknown) => Promise<void>,
): Promise<void> => {
  const job = entries.jobs.find((one) => queueOf(one.job) === letter.consumer)?.job
  if (job === undefined || plans.some(([, plan]) => plan.jobs?.includes(job))) return redo(work, entries, letter)
  await queue(job, job.data.parse(JSON.parse(letter.data)))
}
