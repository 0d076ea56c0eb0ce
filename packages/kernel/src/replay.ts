/**
 * Replays dead letters. A job is queued again, in the transaction that deletes its dead letter, so that two replays run
 * it once. An event is handled again in this process.
 */
import type { AnyJob } from '@murmuration/contracts/kit'
import { bigints, type Database, sql } from '@murmuration/db'
import type { Clock } from './clock.js'
import type { Outbox } from './outbox.js'
import { remainingMs } from './request.js'

export interface StoredLetter {
  readonly id: string
  readonly consumer: string
  readonly message_id: string
  readonly data: string
}

export interface ReplayOptions {
  db: Database
  outbox: Pick<Outbox, 'queueOne'>
  clock: Pick<Clock, 'sleep'>
  /**
   * The job of a dead letter, with the data of a replay; null for an event. Throws if this release has no such queue, or
   * the data do not match its contract.
   */
  jobOf(letter: StoredLetter): RestoredJob | null
  /** Handles the event of a dead letter again, in this process. */
  redo(letter: StoredLetter): Promise<void>
}

export interface RestoredJob {
  readonly job: AnyJob
  readonly data: unknown
}

/** A job that was queued for a dead letter. */
interface QueuedJob {
  readonly letter: string
  readonly consumer: string
  readonly id: string
}

/** Maximum milliseconds for which a replay waits until the queued jobs end. */
const WAIT_MS = 6_000
const POLL_MS = 200
/** Milliseconds of the time of the request that are kept for its response. */
const RESERVE_MS = 3_000

/** Queues jobs again and deletes their dead letters. Leaves out dead letters that another replay deleted. */
const requeue = (
  { db, outbox }: ReplayOptions,
  jobs: ReadonlyMap<StoredLetter, RestoredJob>,
): Promise<readonly QueuedJob[]> =>
  db.tx(async (tx) => {
    const letters = [...jobs.keys()]
    // The queue may still contain the earlier message. The record prevents that it runs beside the new one.
    const rows = await tx.rows<{ id: string }>(sql`
      with gone as (delete from dead_letters where id = any(${bigints(letters.map((one) => one.id))})
          returning id, consumer, message_id),
        recorded as (insert into consumed (consumer, event_id)
          select consumer, message_id::bigint from gone where message_id ~ '^[0-9]{1,18}$' on conflict do nothing)
      select id from gone`)
    const gone = new Set(rows.map((row) => row.id))
    return [...jobs].flatMap(([{ id, consumer }, { job, data }]) =>
      gone.has(id) ? [{ letter: id, consumer, id: outbox.queueOne(tx, job, data) }] : [],
    )
  })

/** Ended jobs by id: true for those that became dead letters again. */
const endedAmong = async (db: Database, jobs: readonly QueuedJob[]): Promise<Map<string, boolean>> => {
  const wanted = sql`unnest(${jobs.map((one) => one.consumer)}::text[], ${bigints(jobs.map((one) => one.id))}) as wanted(consumer, id)`
  const rows = await db.rows<{ id: string; failed: boolean }>(sql`
    select c.event_id::text as id, false as failed from ${wanted}
      join consumed c on c.consumer = wanted.consumer and c.event_id = wanted.id
    union all select d.message_id, true from ${wanted}
      join dead_letters d on d.consumer = wanted.consumer and d.message_id = wanted.id::text`)
  return new Map(rows.map((row) => [row.id, row.failed]))
}

const untilEnded = async (
  options: ReplayOptions,
  jobs: readonly QueuedJob[],
  endsAt: number,
): Promise<Map<string, boolean>> => {
  if (jobs.length === 0) return new Map()
  const ended = await endedAmong(options.db, jobs)
  if (ended.size === jobs.length || performance.now() + POLL_MS > endsAt) return ended
  await options.clock.sleep(POLL_MS)
  return untilEnded(options, jobs, endsAt)
}

/**
 * Replays dead letters, and waits some seconds for the queued jobs.
 *
 * - `replayed`: events that were handled, and jobs that were queued and have not failed.
 * - `queued`: those of `replayed` whose job has not ended yet.
 * - `failed`: the others. An event keeps its dead letter, and a job has a new one.
 */
export const replayLetters = async (
  options: ReplayOptions,
  letters: readonly StoredLetter[],
): Promise<{ replayed: string[]; queued: string[]; failed: string[] }> => {
  const endsAt = performance.now() + Math.min(WAIT_MS, (remainingMs() ?? Number.POSITIVE_INFINITY) - RESERVE_MS)
  const jobs = new Map<StoredLetter, RestoredJob>()
  const events: StoredLetter[] = []
  for (const letter of letters)
    try {
      const found = options.jobOf(letter)
      if (found) jobs.set(letter, found)
      else events.push(letter)
    } catch {
      // The dead letter stays, because nothing here can run it.
    }
  const own = jobs.size === 0 ? [] : await requeue(options, jobs)
  const results = await Promise.allSettled(events.map((letter) => options.redo(letter)))
  const handled = events.filter((_, i) => results[i]?.status === 'fulfilled').map((letter) => letter.id)
  if (handled.length > 0) await options.db.run(sql`delete from dead_letters where id = any(${bigints(handled)})`)
  const ended = await untilEnded(options, own, endsAt)
  // A job without an outcome has not ended, or another replay queued it.
  const outcomes = new Map(own.map((one) => [one.letter, ended.get(one.id)]))
  const jobIds = [...jobs.keys()].map((letter) => letter.id)
  const replayed = [...handled, ...jobIds.filter((id) => outcomes.get(id) !== true)]
  return {
    replayed,
    queued: jobIds.filter((id) => outcomes.get(id) === undefined),
    failed: letters.map((letter) => letter.id).filter((id) => !replayed.includes(id)),
  }
}
