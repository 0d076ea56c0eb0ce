/** Lifetimes of browser sessions. */

const DAY = 86_400_000

/** A session ends 14 days after its last use, and 90 days after the sign-in. */
const IDLE_MS = 14 * DAY
const LIFE_MS = 90 * DAY
/** Shortest interval between two updates of the last use of a session, in milliseconds (10 minutes). */
export const TOUCH_MS = 600_000

/** Earliest last use and earliest sign-in of a session that is still valid. */
export const sessionLimits = (now: number): { idleSince: Date; bornSince: Date } => ({
  idleSince: new Date(now - IDLE_MS),
  bornSince: new Date(now - LIFE_MS),
})
