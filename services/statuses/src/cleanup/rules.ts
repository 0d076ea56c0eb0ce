/** How old statuses are deleted for people who want it: what they start from, and when the next of them are looked at. */
import type { Cleanup } from '@murmuration/contracts/statuses'

/** For who never said anything; what the form shows at first. */
export const NO_CLEANUP: Cleanup = {
  enabled: false,
  age: 14,
  keepPinned: true,
  keepDirect: true,
  keepPolls: false,
  keepMedia: false,
  keepOwnFavourites: true,
  keepOwnBookmarks: true,
  leastFavourites: null,
  leastReblogs: null,
}

/** Statuses of one person that are looked at in one go, and deleted at most. */
export const WINDOW = 500
export const MOST_AT_ONCE = 20

const MINUTE_MS = 60_000
/** Delay of the next pass for an account with nothing left to delete; by then more statuses are old. */
const REST_MS = 6 * 60 * MINUTE_MS
/** Interval after which kept statuses are checked again, because pins and bookmarks end. */
const AROUND_MS = 7 * 24 * 60 * MINUTE_MS

export interface Seen {
  id: string
  kept: boolean
}

/** Ids to delete of a window of statuses in the order of their ids, and the last id that was checked. */
export const deletableIn = (window: readonly Seen[]): { ids: string[]; seen: string | null; isEnd: boolean } => {
  const ids = window.filter((one) => !one.kept).map((one) => one.id)
  if (ids.length > MOST_AT_ONCE) {
    const some = ids.slice(0, MOST_AT_ONCE)
    return { ids: some, seen: some.at(-1) ?? null, isEnd: false }
  }
  return { ids, seen: window.at(-1)?.id ?? null, isEnd: window.length < WINDOW }
}

/** Where the next go begins, and when. */
export const nextGo = (
  now: number,
  at: { seen: string; beganAt: Date },
  { seen, isEnd }: Pick<ReturnType<typeof deletableIn>, 'seen' | 'isEnd'>,
): { seen: string; beganAt: Date; dueAt: Date } => {
  const on = { seen: seen ?? at.seen, beganAt: at.beganAt }
  if (!isEnd) return { ...on, dueAt: new Date(now + MINUTE_MS) }
  const dueAt = new Date(now + REST_MS)
  return now - at.beganAt.getTime() < AROUND_MS ? { ...on, dueAt } : { seen: '0', beganAt: new Date(now), dueAt }
}
