/** Decides which messages a process handles at the same time, so that a suspect message runs alone. */
import { GiveBack } from '@murmuration/bus'

/** Ends the work on a message. A second call has no effect. */
export type Leave = () => void

export interface SuspectPlan {
  /** Milliseconds that the suspect runs before other messages start, and that others must have run before it starts. */
  patienceMs: number
  /** Milliseconds to wait for other suspects to arrive and finish; 0 for none. */
  lastForMs: number
  /** `joined` is called when another suspect starts while this one is still in work. */
  joined(): void
}

export interface SuspectLock {
  /**
   * Returns when an ordinary message may be handled: at once, or after the suspects that wait or run. Rejects with `GiveBack`,
   * which returns the message to the bus, when `stopping` is aborted.
   */
  enter(stopping: AbortSignal): Leave | Promise<Leave>
  /** Starts a suspect as soon as every other message has ended or has run for its patience. Rejects like `enter`. */
  enterSuspect(plan: SuspectPlan, stopping: AbortSignal): Promise<Leave>
}

interface InWork {
  readonly startedAt: number
  /** Null for an ordinary message. */
  readonly suspect: SuspectPlan | null
}

interface Waiting {
  readonly suspect: SuspectPlan | null
  /** Earliest start; later for suspects that ended a process while alone. */
  readonly notBefore: number
  readonly start: (leave: Leave) => void
}

/**
 * Creates the lock of a process. All its consumers share the lock, because a handler that ends the process ends the work of all of
 * them.
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

  /** Time at which all current messages have run long enough for the next one. */
  const freeAt = (next: SuspectPlan | null): number => {
    let at = Number.NEGATIVE_INFINITY
    for (const { startedAt, suspect } of inWork) {
      const patience = Math.max(next?.patienceMs ?? 0, suspect?.patienceMs ?? 0)
      if (next !== null || suspect !== null) at = Math.max(at, startedAt + patience)
    }
    return at
  }

  /** Returns the next suspect that may start. Suspects that have not run alone yet come first. */
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
        // A suspect that was not handled stays suspect.
        reject(new GiveBack(0, suspect === null))
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
      if (stopping.aborted) return reject(new GiveBack(0, suspect === null))
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
