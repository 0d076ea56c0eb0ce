/**
 * In-memory cache for cards of another service: bounded in size, with a lifetime. All missing ids are loaded in one
 * request.
 */
import type { Json } from '@murmuration/contracts/kit'
import { createMemoryCache } from '@murmuration/flow'

export interface CardCacheOptions<T> {
  /**
   * Requests the cards with these ids from the owning service. Ids that it does not know are absent from the result.
   */
  load(ids: string[]): Promise<ReadonlyMap<string, Json<T>>>
  /** Current time in milliseconds, by the clock of the process. */
  now(): number
  /** Bound of the cache in UTF-16 code units of JSON text, with 64 added per card. Default: 32 million. */
  maxChars?: number
  ttlMs?: number
}

export interface CardCache<T> {
  /** Returns cards by id. Ids that the owning service does not know are absent. */
  many(ids: Iterable<string>): Promise<Map<string, Json<T>>>
  /** Stores a card that this process created. */
  prime(id: string, text: Json<T>): void
  /**
   * Removes the cards with these ids from the cache, or all cards if null. Loads that run already do not store their
   * result.
   */
  invalidate(ids: readonly string[] | null): void
}

/**
 * Creates a cache of cards. `ttlMs`: lifetime of a card in milliseconds; default: one minute. `many` rejects with the error of
 * `load`.
 */
export const createCardCache = <T>(options: CardCacheOptions<T>): CardCache<T> => {
  const { load, now, maxChars = 32_000_000, ttlMs = 60_000 } = options
  const cache = createMemoryCache<Json<T>>({ max: maxChars, sizeOf: (text) => text.length + 64, ttlMs, now })
  return {
    many: (ids) => cache.many(ids, load),
    prime: (id, text) => cache.set(id, text),
    invalidate: cache.invalidate,
  }
}
