/** Measures how long a request may have waited in a process that was stopped, or whose event loop was blocked. */

import { everySecond } from './beat.js'

const BEAT_MS = 1_000
/** Lateness of the timer in milliseconds from which on it counts as a stall. */
const LATE_MS = 1_000
/**
 * Milliseconds after a stall for which messages count as possibly old. If the bus does not respond in that time, no new
 * message was received either.
 */
const MAX_MS = 10_000
/** Milliseconds for which ended stalls are remembered. No request takes that long. */
const REMEMBERED_MS = 120_000

export interface Stalls {
  /** Maximum milliseconds that a message that is read now may have waited in the socket; 0 without a stall. */
  waitedMs(): number
  /** Longest stall in milliseconds that ended after the time `at`; 0 if there is none. */
  longestSince(at: number): number
  stop(): void
}

/**
 * Watches the event loop for stalls. After a stall, a flush is sent to the bus. Each message that arrives before the
 * response to it may be as old as the stall.
 */
export const watchStalls = (flush: () => Promise<unknown>, now: () => number = () => performance.now()): Stalls => {
  let beatAt = now()
  let waitedMs = 0
  let until = 0
  let stalls = 0
  let ended: { at: number; ms: number }[] = []
  const beat = (): void => {
    const at = now()
    const lateMs = at - beatAt - BEAT_MS
    beatAt = at
    if (lateMs < LATE_MS) return
    const stall = ++stalls
    waitedMs = lateMs + BEAT_MS
    until = at + MAX_MS
    ended = [...ended.filter((one) => at - one.at < REMEMBERED_MS), { at, ms: waitedMs }]
    flush()
      .catch(() => undefined)
      .then(() => {
        if (stall === stalls) waitedMs = 0
      })
  }
  const stop = everySecond(beat)
  /** Detects a stall that the timer has not detected yet. After a stall, the process may read sockets before it runs timers. */
  const catchUp = (): void => {
    if (now() - beatAt >= BEAT_MS + LATE_MS) beat()
  }
  return {
    waitedMs() {
      catchUp()
      return waitedMs > 0 && now() < until ? waitedMs : 0
    },
    longestSince(at) {
      catchUp()
      return Math.max(0, ...ended.filter((one) => one.at > at).map((one) => one.ms))
    },
    stop,
  }
}
