/** Runs suspect events and jobs one at a time. A suspect that has crashed three processes becomes a dead letter. */
import { type JsMsg, ReturnToQueue, type readEventBatch } from '@murmuration/bus'
import type { Log } from './log.js'
import type { SuspectLock } from './suspect-lock.js'
import type { Deliveries, Suspicion } from './suspects.js'

/**
 * Number of runs alone without a reported end after which an event or job is given up. A further process crashed before
 * the first run alone. So a message that is given up has crashed three processes.
 */
const MAX_STARTS = 2
/** Milliseconds that a suspect runs before other messages start. Nearly all handlers take less. */
const ALONE_MS = 3_000
/**
 * Like `ALONE_MS`, for a suspect that crashed a process while it ran alone. Longer, so that a crash by a slow handler
 * of another message is not attributed to the suspect.
 */
const LAST_ALONE_MS = 30_000
/**
 * Milliseconds that a suspect waits before its next run if it crashed a process while it ran alone. Other redelivered
 * suspects run first.
 */
const LAST_FOR_MS = 5_000

/** An event or a job, with the message in which it was received. */
export type ReceivedMessage = ReturnType<typeof readEventBatch>[number] & { message: JsMsg }

/** Error of a suspect that is given up. Its name is the reason of the dead letter. */
export class WorkerCrashed extends Error {
  static readonly reason = 'ended-its-worker'
  override readonly name = WorkerCrashed.reason
}

export interface SuspectRuns {
  consumer: string
  deliveries: Deliveries
  suspectLock: SuspectLock
  log: Log
  /** Milliseconds between two heartbeats of a run, which are stored in the database. */
  beatMs: number
  /** Seconds until the redelivery of a message that another process is still handling. */
  redeliverSeconds: number
  stopping: AbortSignal
  run(one: ReceivedMessage): Promise<void>
}

const runOne = async (one: ReceivedMessage, starts: number, options: SuspectRuns): Promise<void> => {
  const { deliveries, consumer, suspectLock, log } = options
  const again = starts > 0
  log[again ? 'warn' : 'info'](
    { consumer, messageId: one.id, deliveries: one.message.info.deliveryCount },
    again
      ? 'a message ended its process and is tried alone once more'
      : 'a message came again without a report and is tried alone',
  )
  let isReverted = false
  const leave = await suspectLock.enterSuspect(
    {
      patienceMs: again ? LAST_ALONE_MS : ALONE_MS,
      lastForMs: again ? LAST_FOR_MS : 0,
      joined: () => {
        if (!isReverted) deliveries.startReverted(one.id).catch(() => undefined)
        isReverted = true
      },
    },
    options.stopping,
  )
  let beat: NodeJS.Timeout | undefined
  try {
    await deliveries.started(one.id)
    beat = setInterval(() => deliveries.alive(one.id).catch(() => undefined), options.beatMs)
    await options.run(one)
  } finally {
    clearInterval(beat)
    await deliveries
      .ended([one.id])
      .catch((error: unknown) =>
        log.warn({ consumer, messageId: one.id, error }, 'the end of a run alone was not recorded'),
      )
    leave()
  }
}

/**
 * Runs each suspect alone, those that crashed no process alone first. Returns the failed ones, including those that are
 * given up without a run. Throws ReturnToQueue while another process handles one of them.
 */
export const runSuspects = async (
  all: readonly ReceivedMessage[],
  options: SuspectRuns,
): Promise<{ one: ReceivedMessage; error: unknown }[]> => {
  const known = await options.deliveries.suspicions(all.map((one) => one.id))
  const of = (one: ReceivedMessage): Suspicion => known.get(one.id) ?? { starts: 0, inWork: false }
  if (all.some((one) => of(one).inWork)) throw new ReturnToQueue(options.redeliverSeconds, false)
  const failed: { one: ReceivedMessage; error: unknown }[] = []
  for (const one of all.toSorted((a, b) => of(a).starts - of(b).starts)) {
    const { starts } = of(one)
    try {
      if (starts >= MAX_STARTS) throw new WorkerCrashed(`its process ended ${starts + 1} times`)
      await runOne(one, starts, options)
    } catch (error) {
      if (error instanceof ReturnToQueue) throw error
      failed.push({ one, error })
    }
  }
  return failed
}
