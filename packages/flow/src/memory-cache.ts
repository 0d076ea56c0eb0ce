/** A bounded cache inside one process, on `lru-cache`. The least recently used entries are removed first. */
import { LRUCache } from 'lru-cache'

export interface MemoryCacheOptions<T> {
  /** Maximum number of entries; with `sizeOf`, the largest sum of their sizes. */
  max: number
  /** Size of a value, at least 1; default: 1. */
  sizeOf?(value: T): number
  /** Milliseconds until an entry expires; default: it does not expire. */
  ttlMs?: number
  /** Milliseconds of the clock of the process, so that a moved test clock moves the entries too. */
  now?(): number
  /** The id by which a value is invalidated; default: its key. */
  idOf?(value: T): string | null
}

export interface MemoryCache<T> {
  get(key: string): T | undefined
  /** Stores a value; with a time of 0 it stores nothing. The result of a load of the key that is in flight is not stored. */
  set(key: string, value: T, ttlMs?: number): void
  /** Removes an entry. The result of a load of the key that is in flight is not stored. */
  delete(key: string): void
  /**
   * Removes the values with these ids, or all for null. Loads in flight that may be of such a value reach their callers and are
   * not stored, because they may be older than the change.
   */
  invalidate(ids: readonly string[] | null): void
  /** The value, at once if it is known. Concurrent calls share one load. `ttlOf` replaces the usual time; 0 stores nothing. */
  load(key: string, read: () => Promise<T>, ttlOf?: (value: T) => number): T | Promise<T>
  /** The values of these keys. Absent keys that are not being loaded are read at once. The result omits keys without a value. */
  many(keys: Iterable<string>, read: (absent: string[]) => Promise<ReadonlyMap<string, T>>): Promise<Map<string, T>>
  readonly size: number
  /** Number of keys whose loads are in flight. */
  readonly loading: number
}

/** Values of a load in flight, by key. */
type Load<T> = Promise<ReadonlyMap<string, T>>

/** Keys by id, for values whose id is not their key. */
const createIndex = <T>(idOf: (value: T) => string | null) => {
  const keysById = new Map<string, Set<string>>()
  return {
    keysOf: (id: string): string[] => [...(keysById.get(id) ?? [])],
    add(key: string, value: T): void {
      const id = idOf(value)
      if (id === null) return
      const keys = keysById.get(id)
      if (keys === undefined) keysById.set(id, new Set([key]))
      else keys.add(key)
    },
    remove(key: string, value: T): void {
      const id = idOf(value)
      const keys = id === null ? undefined : keysById.get(id)
      if (id !== null && keys?.delete(key) && keys.size === 0) keysById.delete(id)
    },
  }
}

/** @example const names = createMemoryCache<string>({ max: 1_000, ttlMs: 60_000, now: () => ctx.clock.now() }) */
export const createMemoryCache = <T>(options: MemoryCacheOptions<T>): MemoryCache<T> => {
  const { max, sizeOf = () => 1, ttlMs = 0, now = () => performance.now(), idOf } = options
  const index = idOf && createIndex(idOf)
  // With a limit of size the library allocates as the cache grows. With a limit of number it allocates everything at the start.
  const kept = new LRUCache<string, NonNullable<T>>({
    maxSize: max,
    sizeCalculation: (value) => Math.max(1, sizeOf(value as T)),
    ttlResolution: 0,
    // For the library an entry that was stored at 0 does not expire.
    perf: { now: () => now() + 1 },
    ...(index && { dispose: (value, key) => index.remove(key, value as T) }),
  })
  const loads = new Map<string, Load<T>>()

  // The library keeps an entry through the last millisecond of its time.
  const usual = ttlMs > 0 ? { ttl: ttlMs - 0.5 } : undefined
  const store = (key: string, value: T, ttl?: number): void => {
    if (ttl !== undefined && ttl <= 0) return void kept.delete(key)
    kept.set(key, value as NonNullable<T>, ttl === undefined ? usual : { ttl: ttl - 0.5 })
    index?.add(key, value)
  }
  const start = (keys: readonly string[], read: () => Load<T>, ttlOf?: (value: T) => number): Load<T> => {
    const load: Load<T> = read()
      .then((found) => {
        for (const [key, value] of found) if (loads.get(key) === load) store(key, value, ttlOf?.(value))
        return found
      })
      .finally(() => {
        for (const key of keys) if (loads.get(key) === load) loads.delete(key)
      })
    for (const key of keys) loads.set(key, load)
    return load
  }
  const remove = (key: string): void => {
    loads.delete(key)
    kept.delete(key)
  }

  return {
    get: (key) => kept.get(key),
    set(key, value, ttl) {
      loads.delete(key)
      store(key, value, ttl)
    },
    delete: remove,
    invalidate(ids) {
      // The ids of values that are being loaded are unknown if they are not their keys.
      if (ids === null || index) loads.clear()
      if (ids === null) kept.clear()
      else for (const id of ids) for (const key of index?.keysOf(id) ?? [id]) remove(key)
    },
    load(key, read, ttlOf) {
      const known = kept.get(key)
      if (known !== undefined) return known
      const load = loads.get(key) ?? start([key], async () => new Map([[key, await read()]]), ttlOf)
      return load.then((found) => found.get(key) as T)
    },
    async many(keys, read) {
      const found = new Map<string, T>()
      const absent: string[] = []
      const wanted = new Map<Load<T>, string[]>()
      for (const key of new Set(keys)) {
        const known = kept.get(key)
        const load = known === undefined ? loads.get(key) : undefined
        if (known !== undefined) found.set(key, known)
        else if (load === undefined) absent.push(key)
        else wanted.set(load, [...(wanted.get(load) ?? []), key])
      }
      if (absent.length > 0)
        wanted.set(
          start(absent, () => read(absent)),
          absent,
        )
      const loaded = await Promise.all(wanted.keys())
      for (const [i, some] of [...wanted.values()].entries())
        for (const key of some) {
          const value = loaded[i]?.get(key)
          if (value !== undefined) found.set(key, value)
        }
      return found
    },
    get size() {
      return kept.size
    },
    get loading() {
      return loads.size
    },
  }
}
