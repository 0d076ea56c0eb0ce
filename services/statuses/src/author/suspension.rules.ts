/** Decides when statuses of suspended remote authors are erased. They are hidden at once. */

const DAY_MS = 86_400_000

/**
 * Retention of statuses after their domain was blocked, in milliseconds. A mistaken block can be undone within this
 * day.
 */
export const BLOCKED_MS = DAY_MS
/** Retention of statuses after their author was suspended, in milliseconds. */
export const KEPT_MS = 30 * DAY_MS

export interface Look {
  /** Time at which the retention of the author's statuses began. */
  since: Date
  /** Time of the next check of the author; null if the statuses are erased now. */
  at: Date | null
}

/**
 * Decides whether the statuses of a suspended author are erased now, or when to check again. Checks are daily, because
 * the domain may be blocked during the retention period.
 * @param since when the author was suspended, or last seen on an unlisted domain
 */
export const nextLook = (since: Date, domain: 'open' | 'blocked' | 'unlisted', now: Date): Look => {
  // Statuses of an unlisted domain are kept, because limited federation may end. The retention period starts again.
  if (domain === 'unlisted') return { since: now, at: new Date(now.getTime() + DAY_MS) }
  const end = new Date(since.getTime() + (domain === 'blocked' ? BLOCKED_MS : KEPT_MS))
  if (end <= now) return { since, at: null }
  return { since, at: new Date(Math.min(end.getTime(), now.getTime() + DAY_MS)) }
}
