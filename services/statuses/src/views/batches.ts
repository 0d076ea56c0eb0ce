/** Asking for many ids in batches of what one request may hold, all at once. */

/** Runs `ask` for slices of `size` at the same time and joins the maps that come back. */
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
