/** Caches the promises of an asynchronous function for the lifetime of the memo, such as one batch of events. */

/** Calls with the same key share one promise, even if it is rejected. */
export const memoize = <A extends unknown[], T>(
  work: (...args: A) => Promise<T>,
  keyOf: (...args: A) => string,
): ((...args: A) => Promise<T>) => {
  const calls = new Map<string, Promise<T>>()
  return (...args) => {
    const key = keyOf(...args)
    const known = calls.get(key)
    if (known !== undefined) return known
    const call = work(...args)
    calls.set(key, call)
    return call
  }
}
