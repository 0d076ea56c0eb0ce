/** Runs suspect events and jobs one at a time, and gives up those that have ended three processes. */
import { GiveBack, type JsMsg, type readEventBatch } from '@murmuration/bus'
import type { Log } from './log.js'
import type { SuspectLock } from './suspect-lock.js'
import type { Deliveries, Suspicion } from './suspects.js'

/**
 * Runs alone without a report after which an event or job is given up. Before the first such run, the message ended a
 * process that also handled other messages. So a message that is given up has ended three processes.
 */
const MAX_STARTS = 2
/** Milliseconds that a suspect runs without others, longer than nearly all handlers take. */
const ALONE_MS = 3_000
/**
 * Like `ALONE_MS`, for a suspect that ended a process while it ran alone, so that a slow handler of another message is
 * not blamed.
 */
const LAST_ALONE_MS = 30_000
/**
 * Milliseconds that a suspect waits if it ended a process while it ran alone, so that other redelivered suspects finish
 * first.
 */
const LAST_FOR_MS = 5_000

/** An event or a job, with the message that carries it. */
export type Carried = ReturnType<typeof readEventBatch>[number] & { message: JsMsg }

/** Error of a suspect that is given up. The error's name is the reason of the dead letter. */
export class EndedItsWorker extends Error {
  static readonly reason = 'ended-its-worker'
  override readonly name = EndedItsWorker.reason
}

export interface SuspectRuns {
  consumer: string
  deliveries: Deliveries
  suspectLock: SuspectLock
  log: Log
  /** Milliseconds between heartbeats in the database. */
  beatMs: number
  /** Seconds until the redelivery of a message that another process is still working on. */
  redeliverSeconds: number
  stopping: AbortSignal
  run(one: Carried): Promise<void>
}

const runOne = async (one: Carried, starts: number, options: SuspectRuns): Promise<void> => {
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
 * Runs each suspect when nothing else is in work, those that ended no process alone first. Returns the failed ones, which
 * include those that are given up without a run. Throws GiveBack while another process works on one of them.
 */
export const runSuspects = async (
  all: readonly Carried[],
  options: SuspectRuns,
): Promise<{ one: Carried; error: unknown }[]> => {
  const known = await options.deliveries.suspicions(all.map((one) => one.id))
  const of = (one: Carried): Suspicion => known.get(one.id) ?? { starts: 0, inWork: false }
  if (all.some((one) => of(one).inWork)) throw new GiveBack(options.redeliverSeconds, false)
  const failed: { one: Carried; error: unknown }[] = []
  for (const one of all.toSorted((a, b) => of(a).starts - of(b).starts)) {
    const { starts } = of(one)
    try {
      if (starts >= MAX_STARTS) throw new EndedItsWorker(`its process ended ${starts + 1} times`)
      await runOne(one, starts, options)
    } catch (error) {
      if (error instanceof GiveBack) throw error
      failed.push({ one, error })
    }
  }
  return failed
}
