/**
 * Decides which messages a process handles at the same time. A suspect message, whose previous delivery may have
 * crashed a process, runs alone.
 */
import { ReturnToQueue } from '@murmuration/bus'

/** Must be called when the handler of the message ends. A second call has no effect. */
export type Leave = () => void

export interface SuspectPlan {
  /**
   * Milliseconds that messages must have run before the suspect starts, unless they end earlier. The suspect itself
   * must run as long before other messages start.
   */
  patienceMs: number
  /** Milliseconds before its start in which other suspects may arrive and run first; 0 for none. */
  lastForMs: number
  /** Called when another suspect starts while this suspect still runs. */
  joined(): void
}

export interface SuspectLock {
  /**
   * Waits until an ordinary message may be handled: at once, or after the suspects that wait or run. Rejects with
   * `ReturnToQueue` when `stopping` is aborted, so that the message is returned to the bus.
   */
  enter(stopping: AbortSignal): Leave | Promise<Leave>
  /** Waits until each other message has ended or has run for `patienceMs`. Rejects like `enter`. */
  enterSuspect(plan: SuspectPlan, stopping: AbortSignal): Promise<Leave>
}

interface InWork {
  readonly startedAt: number
  /** Plan of the suspect message that runs; null for an ordinary message. */
  readonly suspect: SuspectPlan | null
}

interface Waiting {
  readonly suspect: SuspectPlan | null
  /** Earliest start (`performance.now()`). It is 0, at once, unless the suspect crashed a process while it ran alone. */
  readonly notBefore: number
  readonly start: (leave: Leave) => void
}

/**
 * Creates the lock of a process, which all its consumers share. Because a handler that crashes the process ends the
 * handlers of all consumers.
 */
export const createSuspectLock = (now: () => number = () => performance.now()): SuspectLock => {
  const inWork = new Set<InWork>()
  let suspectsInWork = 0
  let suspects: Waiting[] = []
  let ordinary: Waiting[] = []
  let timer: NodeJS.Timeout | undefined

  const begin = (suspect: SuspectPlan | null): Leave => {
    const entry: InWork = { startedAt: now(), suspect }
    if (suspect !== null) {
      for (const other of inWork) other.suspect?.joined()
      suspectsInWork++
    }
    inWork.add(entry)
    return () => {
      if (!inWork.delete(entry)) return
      if (suspect !== null) suspectsInWork--
      if (suspects.length > 0 || ordinary.length > 0) pump()
    }
  }

  /** Time at which all running messages have run long enough for the next one to start. Null stands for an ordinary message. */
  const freeAt = (next: SuspectPlan | null): number => {
    let at = Number.NEGATIVE_INFINITY
    for (const { startedAt, suspect } of inWork) {
      const patience = Math.max(next?.patienceMs ?? 0, suspect?.patienceMs ?? 0)
      if (next !== null || suspect !== null) at = Math.max(at, startedAt + patience)
    }
    return at
  }

  /** Returns the next suspect that may start. Suspects that have not crashed a process alone are first. */
  const nextSuspect = (): Waiting | undefined => {
    const at = now()
    return suspects.find((one) => one.notBefore === 0) ?? suspects.find((one) => one.notBefore <= at)
  }

  const wakeAt = (at: number): void => {
    if (at !== Number.POSITIVE_INFINITY) timer = setTimeout(pump, Math.max(1, Math.ceil(at - now())))
  }

  const pump = (): void => {
    clearTimeout(timer)
    for (let next = nextSuspect(); next !== undefined; next = nextSuspect()) {
      const at = freeAt(next.suspect)
      if (at > now()) return wakeAt(at)
      const started = next
      suspects = suspects.filter((one) => one !== started)
      started.start(begin(started.suspect))
    }
    const later = Math.min(Number.POSITIVE_INFINITY, ...suspects.map((one) => one.notBefore))
    const opensAt = freeAt(null)
    if (opensAt > now()) return wakeAt(ordinary.length > 0 ? Math.min(later, opensAt) : later)
    const started = ordinary
    ordinary = []
    for (const one of started) one.start(begin(null))
    wakeAt(later)
  }

  const wait = (suspect: SuspectPlan | null, stopping: AbortSignal): Promise<Leave> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        suspects = suspects.filter((one) => one !== waiting)
        ordinary = ordinary.filter((one) => one !== waiting)
        // The delivery of a suspect that was not handled gets no report, so it stays suspect.
        reject(new ReturnToQueue(0, suspect === null))
        pump()
      }
      const waiting: Waiting = {
        suspect,
        notBefore: suspect?.lastForMs ? now() + suspect.lastForMs : 0,
        start(leave) {
          stopping.removeEventListener('abort', giveUp)
          resolve(leave)
        },
      }
      if (stopping.aborted) return reject(new ReturnToQueue(0, suspect === null))
      stopping.addEventListener('abort', giveUp)
      if (suspect === null) ordinary.push(waiting)
      else suspects.push(waiting)
      pump()
    })

  return {
    enter: (stopping) =>
      suspectsInWork === 0 && suspects.length === 0 && ordinary.length === 0 ? begin(null) : wait(null, stopping),
    enterSuspect: wait,
  }
}
