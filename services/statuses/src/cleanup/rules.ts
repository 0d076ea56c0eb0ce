/** Rules of cleanup policies: defaults, the statuses that a pass deletes, and the next pass. */
import type { Cleanup } from '@murmuration/contracts/statuses'

/** Cleanup policy of an account that never chose one; also the initial values of the form. */
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

/** Maximum number of statuses of one account that a cleanup pass reads (`WINDOW`) and deletes (`MAX_AT_ONCE`). */
export const WINDOW = 500
export const MAX_AT_ONCE = 20

const MINUTE_MS = 60_000
/** Milliseconds until the next cleanup pass of an account after a pass that checked all its old statuses. */
const REST_MS = 6 * 60 * MINUTE_MS
/** Milliseconds after which statuses that the policy kept are checked again, because a pin or bookmark may be removed. */
const AROUND_MS = 7 * 24 * 60 * MINUTE_MS

export interface Seen {
  id: string
  kept: boolean
}

/**
 * Ids to delete from `window`, which is sorted by ascending id. `seen`: last id that was checked; null for an empty
 * window. `isEnd`: true if no old statuses with a higher id are left to check.
 */
export const deletableIn = (window: readonly Seen[]): { ids: string[]; seen: string | null; isEnd: boolean } => {
  const ids = window.filter((one) => !one.kept).map((one) => one.id)
  if (ids.length > MAX_AT_ONCE) {
    const some = ids.slice(0, MAX_AT_ONCE)
    return { ids: some, seen: some.at(-1) ?? null, isEnd: false }
  }
  return { ids, seen: window.at(-1)?.id ?? null, isEnd: window.length < WINDOW }
}

/** Id after which the next cleanup pass of an account begins to check statuses, and the time of that pass. */
export const nextPass = (
  now: number,
  at: { seen: string; beganAt: Date },
  { seen, isEnd }: Pick<ReturnType<typeof deletableIn>, 'seen' | 'isEnd'>,
): { seen: string; beganAt: Date; dueAt: Date } => {
  const on = { seen: seen ?? at.seen, beganAt: at.beganAt }
  if (!isEnd) return { ...on, dueAt: new Date(now + MINUTE_MS) }
  const dueAt = new Date(now + REST_MS)
  return now - at.beganAt.getTime() < AROUND_MS ? { ...on, dueAt } : { seen: '0', beganAt: new Date(now), dueAt }
}
