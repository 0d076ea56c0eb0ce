/** A bounded cache inside one process, on `lru-cache`. The least recently used entries are removed first. */
import { LRUCache } from 'lru-cache'

export interface MemoryCacheOptions<T> {
  /** Maximum number of entries; with `sizeOf`, maximum sum of the sizes of all entries. */
  max: number
  /** Returns the size of a value, at least 1; default: 1. */
  sizeOf?(value: T): number
  /** Milliseconds until an entry expires; default: it does not expire. */
  ttlMs?: number
  /** Returns the time in milliseconds. With the clock of the process, entries also expire when a test moves that clock. */
  now?(): number
  /** Returns the id by which `invalidate` finds a value; default: its key. */
  idOf?(value: T): string | null
}

export interface MemoryCache<T> {
  get(key: string): T | undefined
  /**
   * Stores a value for `ttlMs` milliseconds; by default, for the `ttlMs` of the cache. If `ttlMs` is 0, the entry is
   * removed instead. A load of this key that is in flight no longer stores its result.
   */
  set(key: string, value: T, ttlMs?: number): void
  /** Removes an entry. A load of this key that is in flight no longer stores its result. */
  delete(key: string): void
  /**
   * Removes the values with these ids; null removes all. Loads in flight that may be affected do not store their
   * results, because a result may be older than the change. Callers of such a load still get its result.
   */
  invalidate(ids: readonly string[] | null): void
  /**
   * Returns the cached value, or the promise of a value that `read` loads. Concurrent calls with the same key share a
   * load. `ttlOf` returns the lifetime in milliseconds of a loaded value, instead of `ttlMs`; 0 does not store it.
   */
  load(key: string, read: () => Promise<T>, ttlOf?: (value: T) => number): T | Promise<T>
  /**
   * Returns the values of these keys. Keys that are neither cached nor being loaded are passed to `read` in one call.
   * The result omits keys without a value.
   */
  many(keys: Iterable<string>, read: (absent: string[]) => Promise<ReadonlyMap<string, T>>): Promise<Map<string, T>>
  readonly size: number
  /** Number of keys that are being loaded. */
  readonly loading: number
}

/** Values of a load in flight, by key. */
type Load<T> = Promise<ReadonlyMap<string, T>>

/** Index from ids to keys, for values whose id is not their key. */
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
  // With a limit of size, `lru-cache` allocates memory as the cache grows. With a limit of number, it allocates all
  // memory at the start.
  const kept = new LRUCache<string, NonNullable<T>>({
    maxSize: max,
    sizeCalculation: (value) => Math.max(1, sizeOf(value as T)),
    ttlResolution: 0,
    // For `lru-cache`, the start time 0 means that an entry does not expire. So times begin at 1.
    perf: { now: () => now() + 1 },
    ...(index && { dispose: (value, key) => index.remove(key, value as T) }),
  })
  const loads = new Map<string, Load<T>>()

  // `lru-cache` returns an entry until a full millisecond after its lifetime. So lifetimes are half a millisecond
  // shorter.
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
      // If values have an id besides their key, the ids of values that are being loaded are unknown. So no load in
      // flight stores its result.
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
