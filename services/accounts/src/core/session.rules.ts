/** How long a browser stays signed in. */

const DAY = 86_400_000

/** Idle for two weeks, or a quarter of a year after signing in. */
const IDLE_MS = 14 * DAY
const LIFE_MS = 90 * DAY
/** The use of a session is written down at most this often. */
export const TOUCH_MS = 600_000

/** The oldest last use and the oldest sign-in that still count. */
export const sessionLimits = (now: number): { idleSince: Date; bornSince: Date } => ({
  idleSince: new Date(now - IDLE_MS),
  bornSince: new Date(now - LIFE_MS),
})
