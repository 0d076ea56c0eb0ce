/** A bounded memory inside one process: so many entries for so long, the least recently used leave first. */

export interface Memory<T> {
  get(key: string): T | undefined
  set(key: string, value: T, ttlMs?: number): void
  delete(key: string): void
  /** Forgets the entries that match, or all. */
  forget(matches?: (value: T) => boolean): void
  readonly size: number
}

/** `now` gives milliseconds; times are of the process, so a moved test clock moves them too. */
export const createMemory = <T>(options: { most: number; ttlMs: number; now: () => number }): Memory<T> => {
  const kept = new Map<string, { value: T; until: number }>()
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      kept.delete(key)
      if (entry.until <= options.now()) return undefined
      kept.set(key, entry)
      return entry.value
    },
    set(key, value, ttlMs = options.ttlMs) {
      kept.delete(key)
      kept.set(key, { value, until: options.now() + ttlMs })
      if (kept.size > options.most) kept.delete(kept.keys().next().value as string)
    },
    delete: (key) => {
      kept.delete(key)
    },
    forget(matches) {
      if (matches === undefined) kept.clear()
      else for (const [key, entry] of kept) if (matches(entry.value)) kept.delete(key)
    },
    get size() {
      return kept.size
    },
  }
}
