/**
 * Replays dead letters. A job is queued again, in the transaction that deletes its dead letter, so that two replays run
 * it once. An event is handled again in this process, and its dead letter is deleted after that.
 */
import type { AnyJob } from '@murmuration/contracts/kit'
import { bigints, type Database, sql } from '@murmuration/db'
import { createBatcher } from '@murmuration/flow'
import type { Clock } from './clock.js'
import type { Outbox } from './outbox.js'
import { outsideRequest, remainingMs } from './request.js'

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
   * The job of a dead letter, with the data of a replay. Null for an event, and for a queue that this release does not
   * have. Throws if the data do not match the contract of the job.
   */
  jobOf(letter: StoredLetter): RestoredJob | null
  /** Handles the event of a dead letter again, in this process. Rejects if this release has no such consumer. */
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

/** Maximum milliseconds for which a replay waits until the queued jobs and the handlers of the events end. */
const WAIT_MS = 6_000
const POLL_MS = 200
/** Milliseconds of the time of the request that are kept for its response. */
const RESERVE_MS = 3_000

/** Outcomes of replayed dead letters by id: true for one that failed again. A dead letter that has not ended is absent. */
type Ended = Map<string, boolean>

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

/** Ended jobs by the ids of their earlier dead letters. */
const endedAmong = async (db: Database, jobs: readonly QueuedJob[]): Promise<Ended> => {
  const wanted = sql`unnest(${jobs.map((one) => one.consumer)}::text[], ${bigints(jobs.map((one) => one.id))}) as wanted(consumer, id)`
  const rows = await db.rows<{ id: string; failed: boolean }>(sql`
    select c.event_id::text as id, false as failed from ${wanted}
      join consumed c on c.consumer = wanted.consumer and c.event_id = wanted.id
    union all select d.message_id, true from ${wanted}
      join dead_letters d on d.consumer = wanted.consumer and d.message_id = wanted.id::text`)
  const letterOf = new Map(jobs.map((one) => [one.id, one.letter]))
  return new Map(rows.map((row) => [letterOf.get(row.id) ?? '', row.failed]))
}

const untilEnded = async (options: ReplayOptions, jobs: readonly QueuedJob[], endsAt: number): Promise<Ended> => {
  if (jobs.length === 0) return new Map()
  const ended = await endedAmong(options.db, jobs)
  if (ended.size === jobs.length || performance.now() + POLL_MS > endsAt) return ended
  await options.clock.sleep(POLL_MS)
  return untilEnded(options, jobs, endsAt)
}

/**
 * Handles events again, and waits for them until `endsAt`. Later handlers continue after the response, and delete their
 * dead letters when they end.
 */
const handleAgain = async (
  { db, clock, redo }: ReplayOptions,
  events: readonly StoredLetter[],
  endsAt: number,
): Promise<Ended> => {
  if (events.length === 0) return new Map()
  const ended: Ended = new Map()
  const remove = createBatcher(
    async (ids: readonly string[]) => {
      await db.run(sql`delete from dead_letters where id = any(${bigints(ids)})`)
    },
    { max: events.length, retryAlone: false, runIn: outsideRequest },
  )
  const handle = async (letter: StoredLetter): Promise<void> => {
    try {
      await outsideRequest(() => redo(letter))
      await remove(letter.id)
      ended.set(letter.id, false)
    } catch {
      ended.set(letter.id, true)
    }
  }
  await Promise.race([Promise.all(events.map(handle)), clock.sleep(endsAt - performance.now())])
  return new Map(ended)
}

/**
 * Replays dead letters, and waits some seconds for the queued jobs and the handlers of the events.
 *
 * - `replayed`: all dead letters that were started again, except those of `failed`.
 * - `queued`: those of `replayed` whose job or handler has not ended yet.
 * - `failed`: those that failed again. An event keeps its dead letter, and a job has a new one.
 *
 * A dead letter of a job that was dropped or replayed meanwhile is in none of them.
 */
export const replayLetters = async (
  options: ReplayOptions,
  letters: readonly StoredLetter[],
): Promise<{ replayed: string[]; queued: string[]; failed: string[] }> => {
  const endsAt = performance.now() + Math.min(WAIT_MS, (remainingMs() ?? Number.POSITIVE_INFINITY) - RESERVE_MS)
  const jobs = new Map<StoredLetter, RestoredJob>()
  const events: StoredLetter[] = []
  const unreadable: string[] = []
  for (const letter of letters)
    try {
      const found = options.jobOf(letter)
      if (found) jobs.set(letter, found)
      else events.push(letter)
    } catch {
      // The dead letter stays, because nothing here can run it.
      unreadable.push(letter.id)
    }
  const own = jobs.size === 0 ? [] : await requeue(options, jobs)
  const ended: Ended = new Map(
    (await Promise.all([handleAgain(options, events, endsAt), untilEnded(options, own, endsAt)])).flatMap((one) => [
      ...one,
    ]),
  )
  const begun = [...events.map((letter) => letter.id), ...own.map((one) => one.letter)]
  return {
    replayed: begun.filter((id) => ended.get(id) !== true),
    queued: begun.filter((id) => !ended.has(id)),
    failed: [...unreadable, ...begun.filter((id) => ended.get(id) === true)],
  }
}
