/** Caches one result for a limited time, and shares one request among concurrent callers. */
import type { Clock } from '@murmuration/kernel'

/** Caches the result of `load` for `maxAgeMs`. Failures are not cached. */
export const kept = <T>(clock: Pick<Clock, 'now'>, maxAgeMs: number, load: () => Promise<T>) => {
  let until = Number.NEGATIVE_INFINITY
  let last: Promise<T> | undefined
  return (): Promise<T> => {
    if (last && clock.now() < until) return last
    until = clock.now() + maxAgeMs
    const asked = load()
    last = asked
    asked.catch(() => {
      if (last === asked) last = undefined
    })
    return asked
  }
}
