/** Works on many things, so many at a time. */

/** What `work` gave for each, in order. The first failure is passed on, when all that had begun is done. */
export const several = async <T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const rest = items.entries()
  const worker = async () => {
    // Every worker takes the next one when it is done with its last: this is how so many run at a time.
    for (const [i, item] of rest) results[i] = await work(item)
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return results
}
