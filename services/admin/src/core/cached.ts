/** Caches one result for a limited time, and shares one request among concurrent callers. */
import type { Clock } from '@murmuration/kernel'

/** Caches the result of `load` for `maxAgeMs`. Failures are not cached. */
export const cached = <T>(clock: Pick<Clock, 'now'>, maxAgeMs: number, load: () => Promise<T>) => {
  let until = Number.NEGATIVE_INFINITY
  let last: Promise<T> | undefined
  return (): Promise<T> => {
    if (last && clock.now() < until) return last
    until = clock.now() + maxAgeMs
    const loading = load()
    last = loading
    loading.catch(() => {
      if (last === loading) last = undefined
    })
    return loading
  }
}
