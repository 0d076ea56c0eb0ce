/** Splits items that need requests to other servers into chunks, with a limit per chunk and per server. */

export interface HostChunk<T> {
  due: T[]
  /** Id of the last item of this chunk, after which the next chunk begins; null when the chunk contains all items. */
  last: string | null
  /** True when the chunk ended early because one server reached its limit. */
  isFull: boolean
}

/**
 * Returns the first items, at most `max`. The chunk ends before the first item that would exceed `perHost` items of
 * one server. `before` is the id of the last item of the previous chunk.
 */
export const chunkByHost = <T extends { id: string }>(
  items: readonly T[],
  it: { before: string; hostOf(item: T): string; max: number; perHost: number },
): HostChunk<T> => {
  const counts = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const host = it.hostOf(item)
    const count = (counts.get(host) ?? 0) + 1
    counts.set(host, count)
    const isFull = count > it.perHost
    if (isFull || index >= it.max)
      return { due: items.slice(0, index), last: items[index - 1]?.id ?? it.before, isFull }
  }
  return { due: [...items], last: null, isFull: false }
}
