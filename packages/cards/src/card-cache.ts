/**
 * In-memory cache for cards of another service: bounded in size, with a lifetime. All missing ids are loaded in one
 * request.
 */
import type { Json } from '@murmuration/contracts/kit'
import { LRUCache } from 'lru-cache'

export interface CardCacheOptions<T> {
  /** Requests these ids from the owning service. Ids that it does not know are absent from the result. */
  load(ids: string[]): Promise<ReadonlyMap<string, Json<T>>>
  /** Bound of the cache in UTF-16 code units of JSON text, with 64 added per card. Default: 32 million. */
  maxChars?: number
  ttlMs?: number
}

export interface CardCache<T> {
  /** Returns cards by id. Ids that the owning service does not know are absent. */
  many(ids: Iterable<string>): Promise<Map<string, Json<T>>>
  /** Stores a card that this process created. */
  know(id: string, text: Json<T>): void
  /** Removes these ids from the cache, or all ids if null. Loads that run already do not store their result. */
  forget(ids: readonly string[] | null): void
}

export const createCardCache = <T>(options: CardCacheOptions<T>): CardCache<T> => {
  const cache = new LRUCache<string, Json<T>>({
    maxSize: options.maxChars ?? 32_000_000,
    sizeCalculation: (text) => text.length + 64,
    ttl: options.ttlMs ?? 60_000,
    ttlResolution: 1_000,
  })
  const inFlight = new Map<string, Promise<ReadonlyMap<string, Json<T>>>>()
  let generation = 0

  const load = (ids: string[]): Promise<ReadonlyMap<string, Json<T>>> => {
    const started = generation
    const loading = options
      .load(ids)
      .then((found) => {
        // Cards that were invalidated during the load may be stale already.
        if (started === generation) for (const [id, text] of found) cache.set(id, text)
        return found
      })
      .finally(() => {
        for (const id of ids) if (inFlight.get(id) === loading) inFlight.delete(id)
      })
    for (const id of ids) inFlight.set(id, loading)
    return loading
  }

  return {
    async many(ids) {
      const found = new Map<string, Json<T>>()
      const waiting = new Map<Promise<ReadonlyMap<string, Json<T>>>, string[]>()
      const absent: string[] = []
      for (const id of new Set(ids)) {
        const known = cache.get(id)
        if (known !== undefined) {
          found.set(id, known)
          continue
        }
        const loading = inFlight.get(id)
        if (loading) waiting.set(loading, [...(waiting.get(loading) ?? []), id])
        else absent.push(id)
      }
      if (absent.length) waiting.set(load(absent), absent)
      await Promise.all(
        [...waiting].map(async ([loading, wanted]) => {
          const loaded = await loading
          for (const id of wanted) {
            const text = loaded.get(id)
            if (text !== undefined) found.set(id, text)
          }
        }),
      )
      return found
    },
    know: (id, text) => void cache.set(id, text),
    forget(ids) {
      generation++
      inFlight.clear()
      if (ids === null) cache.clear()
      else for (const id of ids) cache.delete(id)
    },
  }
}
