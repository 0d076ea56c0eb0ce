/** Helpers for many items: requests in slices, and limited concurrency. */

/** Calls `ask` for slices of `size` ids concurrently, and merges the returned maps. */
export const inBatches = async <T>(
  ids: readonly string[],
  size: number,
  ask: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<Map<string, T>> => {
  if (ids.length === 0) return new Map()
  if (ids.length <= size) return new Map(await ask([...ids]))
  const slices = Array.from({ length: Math.ceil(ids.length / size) }, (_, i) => ids.slice(i * size, (i + 1) * size))
  const parts = await Promise.all(slices.map((slice) => ask([...slice])))
  return new Map(parts.flatMap((part) => [...part]))
}

/**
 * Results of `work` for each item, in order, with `atOnce` workers. An error is thrown only after all started work has
 * ended.
 */
export const several = async <T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const rest = items.entries()
  const worker = async () => {
    // The workers share one iterator: each takes the next item when its last is done.
    for (const [i, item] of rest) results[i] = await work(item)
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return results
}
