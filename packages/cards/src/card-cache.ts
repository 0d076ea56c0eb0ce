/** Cards of another service held in bounded memory for a minute: memory first, one request for all the rest. */
import type { Json } from '@murmuration/contracts/kit'
import { LRUCache } from 'lru-cache'

export interface CardCacheOptions<T> {
  /** Asks the owner for these ids in one request; ids it does not know are absent from the answer. */
  load(ids: string[]): Promise<ReadonlyMap<string, Json<T>>>
  /** Most characters of text kept. */
  maxChars?: number
  ttlMs?: number
}

export interface CardCache<T> {
  /** Texts by id; what the owner does not know is absent. */
  many(ids: Iterable<string>): Promise<Map<string, Json<T>>>
  /** Keeps a text that was made here. */
  know(id: string, text: Json<T>): void
  /** Forgets ids, or everything. */
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
