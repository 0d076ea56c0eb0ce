/** Order of the replies in a thread. */

export interface Below {
  id: string
  authorId: string
  /** Account that the status replies to; null if unknown. */
  inReplyToAccountId: string | null
}

/** Orders replies as a tree, each before its own replies. Replies by an author to their own statuses come first. */
export const threadOrder = (below: readonly Below[]): string[] => {
  const isSelfReply = (one: Below): boolean => one.inReplyToAccountId === one.authorId
  return [...below.filter(isSelfReply), ...below.filter((one) => !isSelfReply(one))].map((one) => one.id)
}

/**
 * Leaves out the largest items until the rest has at most `max` bytes; the order stays. So an author of long statuses
 * displaces these, and not those of others.
 */
export const withinBytes = <T>(items: readonly T[], bytesOf: (item: T) => number, max: number): readonly T[] => {
  const sum = items.reduce((all, one) => all + bytesOf(one), 0)
  if (sum <= max) return items
  const kept = new Set<T>()
  let left = max
  for (const one of items.toSorted((a, b) => bytesOf(a) - bytesOf(b))) {
    left -= bytesOf(one)
    if (left < 0) break
    kept.add(one)
  }
  return items.filter((one) => kept.has(one))
}
