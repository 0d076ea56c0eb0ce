/** One fetch per address at a time across the cluster: whoever comes second waits for what the first one finds. */
import { createHash, randomUUID } from 'node:crypto'
import type { Redis } from './redis.js'

/** A lock is held that long after its holder was heard of last; a process that died blocks nobody for longer. */
const LOCK_MS = 5_000
const RENEW_MS = 1_500
/** Longer than the fetch of a document takes: who waited that long asks for itself. */
const LONGEST_MS = 22_000
const POLL_MS = 50
/** Larger results are not shared between processes; each then fetches on its own. */
const MOST_SHARED = 65_536

export interface SingleFlight {
  /**
   * Runs `work`, or gives the result of the run for the same name that is under way. A result is kept for `keepMs` for
   * those who ask a moment later; 0 keeps it just long enough for those who waited. `fresh` takes nothing that was begun
   * before: what others read may be old already.
   */
  run<T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number, fresh?: boolean): Promise<T>
}

const RENEW = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end`
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`

/**
 * `prefix` begins every key in Redis. `longestMs` is longer than any run takes: who waited that long works by itself.
 *
 * @example
 * const flight = createSingleFlight(redis, 'federation:example.org')
 * const actor = await flight.run(uri, () => read(uri), ({ ok }) => (ok ? 0 : 60_000))
 */
export const createSingleFlight = (redis: Redis, prefix: string, longestMs = LONGEST_MS): SingleFlight => {
  const here = new Map<string, Promise<unknown>>()
  /** Queued runs for callers that asked for a fresh read. Each starts after the current run ends. */
  const next = new Map<string, Promise<unknown>>()
  const keysOf = (name: string) => {
    const digest = createHash('sha256').update(name).digest('base64url')
    return { lock: `${prefix}:lock:${digest}`, result: `${prefix}:result:${digest}` }
  }

  const shared = async <T>(key: string): Promise<{ value: T } | null> => {
    const text = await redis.soft((client) => client.get(key) as Promise<string | null>, null)
    return text === null ? null : { value: JSON.parse(text) as T }
  }

  /** Waits for the result of the lock's owner. Null when the lock was released or expired without a result. */
  const waitFor = async <T>(keys: { lock: string; result: string }, endsAt: number): Promise<{ value: T } | null> => {
    while (performance.now() < endsAt) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      const found = await shared<T>(keys.result)
      if (found !== null) return found
      const held = await redis.soft((client) => client.exists(keys.lock) as Promise<number>, 0)
      if (held === 0) return shared<T>(keys.result)
    }
    return null
  }

  /** Works while the lock is held, and leaves the result to those who wait. */
  const hold = async <T>(
    keys: { lock: string; result: string },
    token: string,
    work: () => Promise<T>,
    keepMs: (result: T) => number,
  ): Promise<T> => {
    const one = { keys: [keys.lock], arguments: [token, String(LOCK_MS)] }
    const renewing = setInterval(() => void redis.soft((client) => client.eval(RENEW, one), null), RENEW_MS)
    try {
      const result = await work()
      const text = JSON.stringify(result)
      if (text.length <= MOST_SHARED) {
        const px = Math.max(keepMs(result), POLL_MS * 4)
        await redis.soft((client) => client.set(keys.result, text, { PX: px }) as Promise<unknown>, null)
      }
      return result
    } finally {
      clearInterval(renewing)
      await redis.soft((client) => client.eval(RELEASE, one), null)
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
    // When the lock's owner dies, one of the waiting processes acquires the lock.
    for (const endsAt = performance.now() + longestMs; performance.now() < endsAt; ) {
      // Without Redis every process fetches for itself.
      const mine = await redis.soft<string | null>(
        (client) => client.set(keys.lock, token, { NX: true, PX: LOCK_MS }) as Promise<string | null>,
        'OK',
      )
      if (mine !== null) return hold(keys, token, work, keepMs)
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
