/** Measures how long a request may have waited in a process that was stopped, or whose event loop was blocked. */

import { everySecond } from './beat.js'

const BEAT_MS = 1_000
/** Delay of a beat in milliseconds that counts as a stall. */
const LATE_MS = 1_000
/** Maximum wait for the bus after a stall, in milliseconds. If the bus does not respond, no new message was received. */
const MAX_MS = 10_000
/** Milliseconds for which stalls are stored, longer than any request takes. */
const REMEMBERED_MS = 120_000

export interface Stalls {
  /** Milliseconds that a message read now may have waited unread; 0 without a stall. */
  waitedMs(): number
  /** Longest stall that ended after this time, in milliseconds; 0 without one. */
  longestSince(at: number): number
  stop(): void
}

/**
 * Watches for stalls. After one, every message sent by the bus before its response to `flush` may be as old as the
 * stall.
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
  /** Detects a stall before the timer does. After a stall, the process may read sockets before it runs timers. */
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
