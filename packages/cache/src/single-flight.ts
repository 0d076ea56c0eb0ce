/**
 * Single-flight across the cluster: one run per name at a time. Simultaneous callers of the same name wait for the
 * result of that run.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Redis } from './redis.js'

/**
 * Milliseconds until a lock without renewal expires. The time is short, so that callers do not wait long for a process
 * that crashed.
 */
const LOCK_MS = 5_000
/** Fraction of a lock's lifetime after which it is renewed. */
const RENEW_AFTER = 0.3
/**
 * Maximum milliseconds that a caller waits for the result of another process. Fetches take less. After that time the
 * caller runs the work itself.
 */
const MAX_MS = 22_000
const POLL_MS = 50
/** Maximum characters of a shared result as JSON. If the result is larger, each process runs the work itself. */
export const MAX_SHARED = 65_536

export interface SingleFlight {
  /**
   * Runs `work`, or returns the result of a current run with the same name. A result is cached for `keepMs(result)`
   * milliseconds; 0 caches it only for callers that wait already. With `fresh`, results of runs that started before
   * the call are not used.
   */
  run<T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number, fresh?: boolean): Promise<T>
}

const RENEW = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end`
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`

/**
 * Creates the single-flight. `prefix` is the start of its keys in Redis.
 * @param times.longestMs maximum wait in milliseconds; must be longer than any run, because the caller then runs the
 * work itself
 * @param times.lockMs lifetime of a lock in milliseconds; the lock is renewed while the work runs. A process whose
 * event loop is blocked longer loses its lock, and another process runs the same work. Callers also wait that long for
 * a process that crashed.
 *
 * @example
 * const flight = createSingleFlight(redis, 'federation:example.org')
 * const actor = await flight.run(uri, () => read(uri), ({ ok }) => (ok ? 0 : 60_000))
 */
export const createSingleFlight = (
  redis: Redis,
  prefix: string,
  times: { longestMs?: number; lockMs?: number } = {},
): SingleFlight => {
  const { longestMs = MAX_MS, lockMs = LOCK_MS } = times
  const here = new Map<string, Promise<unknown>>()
  /** Runs for callers that asked for a fresh result. Such a run starts after the current run of its name. */
  const next = new Map<string, Promise<unknown>>()
  const keysOf = (name: string) => {
    const digest = createHash('sha256').update(name).digest('base64url')
    return { lock: `${prefix}:lock:${digest}`, result: `${prefix}:result:${digest}` }
  }

  const shared = async <T>(key: string): Promise<{ value: T } | null> => {
    const text = await redis.withFallback((client) => client.get(key) as Promise<string | null>, null)
    return text === null ? null : { value: JSON.parse(text) as T }
  }

  /** Waits for the result of the lock's owner. Null when the lock was released or expired without a result. */
  const waitFor = async <T>(keys: { lock: string; result: string }, endsAt: number): Promise<{ value: T } | null> => {
    while (performance.now() < endsAt) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      const found = await shared<T>(keys.result)
      if (found !== null) return found
      const held = await redis.withFallback((client) => client.exists(keys.lock) as Promise<number>, 0)
      if (held === 0) return shared<T>(keys.result)
    }
    return null
  }

  /** Runs the work while it renews the lock, and stores the result for waiting callers. */
  const hold = async <T>(
    keys: { lock: string; result: string },
    token: string,
    work: () => Promise<T>,
    keepMs: (result: T) => number,
  ): Promise<T> => {
    const one = { keys: [keys.lock], arguments: [token, String(lockMs)] }
    const renewing = setInterval(
      () => void redis.withFallback((client) => client.eval(RENEW, one), null),
      lockMs * RENEW_AFTER,
    )
    try {
      const result = await work()
      const text = JSON.stringify(result)
      if (text.length <= MAX_SHARED) {
        const px = Math.max(keepMs(result), POLL_MS * 4)
        await redis.withFallback((client) => client.set(keys.result, text, { PX: px }) as Promise<unknown>, null)
      }
      return result
    } finally {
      clearInterval(renewing)
      await redis.withFallback((client) => client.eval(RELEASE, one), null)
    }
  }

  const across = async <T>(
    name: string,
    work: () => Promise<T>,
    keepMs: (result: T) => number,
    fresh: boolean,
  ): Promise<T> => {
    const keys = keysOf(name)
    const known = fresh ? null : await shared<T>(keys.result)
    if (known !== null) return known.value
    const token = randomUUID()
    // When the process with the lock crashes, one of the waiting processes gets the lock.
    for (const endsAt = performance.now() + longestMs; performance.now() < endsAt; ) {
      // Without Redis, each process counts as the owner of the lock and runs the work itself.
      const acquired = await redis.withFallback<string | null>(
        (client) => client.set(keys.lock, token, { NX: true, PX: lockMs }) as Promise<string | null>,
        'OK',
      )
      if (acquired !== null) {
        // The previous run may have stored its result after this process last read the result.
        const ended = fresh ? null : await shared<T>(keys.result)
        if (ended === null) return hold(keys, token, work, keepMs)
        await redis.withFallback((client) => client.eval(RELEASE, { keys: [keys.lock], arguments: [token] }), null)
        return ended.value
      }
      const found = await waitFor<T>(keys, endsAt)
      if (found !== null && !fresh) return found.value
    }
    return work()
  }

  const start = <T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number, fresh: boolean) => {
    const running: Promise<T> = across(name, work, keepMs, fresh).finally(() => {
      if (here.get(name) === running) here.delete(name)
    })
    here.set(name, running)
    return running
  }

  return {
    run<T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number, fresh = false): Promise<T> {
      const known = here.get(name) as Promise<T> | undefined
      if (known === undefined) return start(name, work, keepMs, fresh)
      if (!fresh) return known
      const planned = next.get(name) as Promise<T> | undefined
      if (planned !== undefined) return planned
      const begin = () => {
        next.delete(name)
        return start(name, work, keepMs, true)
      }
      const following = known.then(begin, begin)
      next.set(name, following)
      return following
    },
  }
}
