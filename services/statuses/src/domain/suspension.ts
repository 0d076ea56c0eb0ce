/** What suspended people of other servers wrote: hidden at once, erased when that lasts (moderation 1). */

const DAY_MS = 86_400_000

/** A server that was blocked by mistake loses nothing on the first day. */
export const BLOCKED_MS = DAY_MS
/** One person may come back for longer (limits). */
export const KEPT_MS = 30 * DAY_MS

/** When it is erased, or looked at again because the whole server may be blocked by then. */
export const nextLook = (since: Date, domainBlocked: boolean, now: Date): 'erase' | Date => {
  const end = new Date(since.getTime() + (domainBlocked ? BLOCKED_MS : KEPT_MS))
  if (end <= now) return 'erase'
  return new Date(Math.min(end.getTime(), now.getTime() + DAY_MS))
}
