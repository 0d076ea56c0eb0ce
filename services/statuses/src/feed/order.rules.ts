/** Rules of rebuilt feeds: repeated boosts are hidden as if the entries had been added one by one. */

export interface Arrived {
  id: string
  original: string | null
}

/**
 * Entries without repeated boosts. A boost is repeated if its original, or another boost of it, was among the newest
 * `window` entries when it was added. With `window` 0 all entries are kept.
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

/** The entries of a feed that a page contains, newest first. */
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
