/** Splits lists for requests, statements and messages with a limited number of items. */

/** Splits a list into chunks of at most `size` items, in order. */
export const chunk = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Splits keys into chunks of `size`, loads all chunks at the same time, and joins the resulting maps. */
export const loadInChunks = async <T>(
  keys: readonly string[],
  size: number,
  load: (keys: string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<Map<string, T>> => {
  if (keys.length <= size) return new Map(keys.length === 0 ? [] : await load([...keys]))
  const parts = await Promise.all(chunk(keys, size).map((some) => load(some)))
  return new Map(parts.flatMap((part) => [...part]))
}

export interface ChunkLimits<T> {
  /** Maximum number of items of a chunk. */
  max: number
  /** Maximum sum of `sizeOf` in a chunk. A larger item is alone in its chunk. */
  maxSize?: number
  sizeOf?(item: T): number
}

/** Number of items from the start of the list that fit into one chunk; at least 1 unless the list is empty. */
export const fitting = <T>(items: readonly T[], { max, maxSize = 0, sizeOf }: ChunkLimits<T>): number => {
  const end = Math.min(items.length, max)
  if (sizeOf === undefined) return end
  let size = 0
  for (let count = 0; count < end; count++) {
    size += sizeOf(items[count] as T)
    if (count > 0 && size > maxSize) return count
  }
  return end
}

/** Splits a list into chunks within limits of number and size, in order. */
export const chunkBySize = <T>(items: readonly T[], limits: ChunkLimits<T>): T[][] => {
  const chunks: T[][] = []
  for (let from = 0; from < items.length; ) {
    const next = items.slice(from, from + limits.max)
    const count = fitting(next, limits)
    chunks.push(next.slice(0, count))
    from += count
  }
  return chunks
}
