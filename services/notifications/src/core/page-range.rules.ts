/** Which notifications count as being on a page of groups. */

export interface Range {
  /** Inclusive; null is open. */
  from: string | null
  to: string | null
  /** Exclusive; null is open. */
  below: string | null
}

/**
 * From the last group's notification to the first one's. A page that is not full is at an end: it reaches down to
 * `since_id`, or, paging up, to `max_id`. `ids` are those of the page's groups, newest first.
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
