/** Statuses of suspended remote authors: hidden at once, erased when the suspension lasts (moderation 1). */

const DAY_MS = 86_400_000

/** A server that was blocked by mistake loses nothing on the first day. */
export const BLOCKED_MS = DAY_MS
/** One person may come back for longer (limits). */
export const KEPT_MS = 30 * DAY_MS

export interface Look {
  /** From when the days count. */
  since: Date
  /** When it is looked at next; null when it is erased now. */
  at: Date | null
}

/**
 * When it is erased, or looked at again because the whole server may be blocked by then.
 * @param since when it was suspended, or last seen to be kept
 */
export const nextLook = (since: Date, domain: 'open' | 'blocked' | 'unlisted', now: Date): Look => {
  // Statuses of an unlisted domain are kept, because limited federation may end. The days count from then.
  if (domain === 'unlisted') return { since: now, at: new Date(now.getTime() + DAY_MS) }
  const end = new Date(since.getTime() + (domain === 'blocked' ? BLOCKED_MS : KEPT_MS))
  if (end <= now) return { since, at: null }
  return { since, at: new Date(Math.min(end.getTime(), now.getTime() + DAY_MS)) }
}
