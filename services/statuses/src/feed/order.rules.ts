/** Feeds made anew from rows: the same boosts hide as if everything had arrived one by one. */

export interface Arrived {
  id: string
  original: string | null
}

/**
 * Entries newest first without the boosts that feeds do not show: those whose original, or another boost of it, was among
 * the newest `window` entries when they arrived; none are left out when it is 0.
 */
export const withoutRepeatedBoosts = <E extends Arrived>(newestFirst: readonly E[], window: number): E[] => {
  if (window === 0) return [...newestFirst]
  const kept: E[] = []
  for (const entry of newestFirst.toReversed()) {
    const recent = kept.slice(-window)
    const shown =
      entry.original !== null && recent.some((one) => one.id === entry.original || one.original === entry.original)
    if (!shown) kept.push(entry)
  }
  return kept.toReversed()
}

/** The part of a list that a page asks for, newest first. */
export const cutPage = <E extends { id: string }>(
  newestFirst: readonly E[],
  page: { limit: number; max_id?: string | undefined; since_id?: string | undefined; min_id?: string | undefined },
): E[] => {
  const floor = page.min_id ?? page.since_id
  const within = newestFirst.filter(
    ({ id }) =>
      (page.max_id === undefined || BigInt(id) < BigInt(page.max_id)) &&
      (floor === undefined || BigInt(id) > BigInt(floor)),
  )
  if (page.limit <= 0) return []
  return page.min_id === undefined ? within.slice(0, page.limit) : within.slice(-page.limit)
}
