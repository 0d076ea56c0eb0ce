/** Bounded concurrency for requests to other servers. */

/** Maps items with at most `most` calls at once; results are in the order of the items. */
export const mapAtMost = async <T, R>(
  most: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const left = items.entries()
  const walk = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, walk))
  return results
}
