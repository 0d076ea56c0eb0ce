/** A limiter for each key. With a concurrency of 1 it is a lock for each key. */
import { createLimiter, type Limiter, type LimiterOptions, type Release } from './limit.js'

export interface KeyedLimiter {
  /** Like `enter` of a limiter. Only callers with the same key wait for each other. */
  enter(key: string, signal?: AbortSignal): Release | Promise<Release>
  /** True if a caller with this key has a slot or waits for a slot. */
  isBusy(key: string): boolean
}

interface Entry {
  readonly limiter: Limiter
  /** Number of callers with this key that have a slot or wait for a slot. */
  users: number
}

/** Creates a limiter for each key. Keys without callers use no memory. */
export const createKeyedLimiter = (options: LimiterOptions): KeyedLimiter => {
  const entries = new Map<string, Entry>()
  const open = (key: string): Entry => {
    const entry = { limiter: createLimiter(options), users: 0 }
    entries.set(key, entry)
    return entry
  }
  return {
    enter(key, signal) {
      const entry = entries.get(key) ?? open(key)
      entry.users++
      const leave = (): void => {
        if (--entry.users === 0) entries.delete(key)
      }
      const held =
        (release: Release): Release =>
        () => {
          release()
          leave()
        }
      const failed = (error: unknown): never => {
        leave()
        throw error
      }
      try {
        const slot = entry.limiter.enter(signal)
        return slot instanceof Promise ? slot.then(held, failed) : held(slot)
      } catch (error) {
        return failed(error)
      }
    },
    isBusy: (key) => entries.has(key),
  }
}
