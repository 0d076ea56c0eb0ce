/** Computes the range of notification ids that belong to a page of groups. */

export interface Range {
  /** Lowest notification id on the page, inclusive; null for no limit. */
  from: string | null
  /** Highest notification id on the page, inclusive; null for no limit. */
  to: string | null
  /** Id below which the notification ids of the page are; null for no limit. */
  below: string | null
}

/**
 * Returns the range of a page. `ids`: the notification ids that represent its groups, newest first.
 *
 * | Page | Lowest | Highest |
 * |---|---|---|
 * | full | last id | first id |
 * | not full, `min_id` given | last id | below `max_id`, or no limit |
 * | not full, other | above `since_id`, or no limit | first id |
 */
export const rangeOf = (
  ids: readonly string[],
  page: { limit: number; max_id?: string | undefined; since_id?: string | undefined; min_id?: string | undefined },
): Range => {
  const [first = null, last = null] = [ids[0], ids.at(-1)]
  if (ids.length >= page.limit) return { from: last, to: first, below: null }
  if (page.min_id !== undefined) return { from: last, to: null, below: page.max_id ?? null }
  const from = page.since_id === undefined ? null : (BigInt(page.since_id) + 1n).toString()
  return { from, to: first, below: null }
}
