/** Deadlines that several attempts share. */

/** Remaining time in milliseconds that is too short for another attempt. */
const SHORTEST_MS = 500

export interface Deadline {
  /** Remaining time in milliseconds; 0 after the deadline. */
  left(): number
  /** True if the remaining time is long enough for another attempt. */
  allowsAttempt(): boolean
}

/** A deadline in `ms` milliseconds, for attempts that run one after the other. Each attempt gets the time that is left. */
export const createDeadline = (ms: number): Deadline => {
  const endsAt = performance.now() + ms
  const left = () => Math.max(0, endsAt - performance.now())
  return { left, allowsAttempt: () => left() >= SHORTEST_MS }
}
