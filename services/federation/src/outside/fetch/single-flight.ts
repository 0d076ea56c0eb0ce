/** One fetch per address at a time across the cluster: whoever comes second waits for what the first one finds. */
import { createHash, randomUUID } from 'node:crypto'
import type { Redis } from '@murmuration/cache'

/** Longer than any fetch takes. */
const LOCK_MS = 30_000
const POLL_MS = 50
/** Larger results are not shared between processes; each then fetches on its own. */
const MOST_SHARED = 65_536

export interface SingleFlight {
  /**
   * Runs `work`, or gives the result of the run for the same name that is under way. A result is kept for `keepMs` for
   * those who ask a moment later; 0 keeps it just long enough for those who waited. `fresh` does not take a kept one.
   */
  run<T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number, fresh?: boolean): Promise<T>
}

const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`

export const createSingleFlight = (redis: Redis, prefix: string): SingleFlight => {
  const here = new Map<string, Promise<unknown>>()
  const keysOf = (name: string) => {
    const digest = createHash('sha256').update(name).digest('base64url')
    return { lock: `${prefix}:lock:${digest}`, result: `${prefix}:result:${digest}` }
  }

  const shared = async <T>(key: string): Promise<{ value: T } | null> => {
    const text = await redis.soft((client) => client.get(key) as Promise<string | null>, null)
    return text === null ? null : { value: JSON.parse(text) as T }
  }

  /** What the holder of the lock finds; null when it let go without a result, or took too long. */
  const waitFor = async <T>(keys: { lock: string; result: string }): Promise<{ value: T } | null> => {
    for (const endsAt = performance.now() + LOCK_MS; performance.now() < endsAt; ) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      const found = await shared<T>(keys.result)
      if (found !== null) return found
      const held = await redis.soft((client) => client.exists(keys.lock) as Promise<number>, 0)
      if (held === 0) return shared<T>(keys.result)
    }
    return null
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
    // Without Redis every process fetches for itself.
    const mine = await redis.soft<string | null>(
      (client) => client.set(keys.lock, token, { NX: true, PX: LOCK_MS }) as Promise<string | null>,
      'OK',
    )
    if (mine === null) {
      const found = await waitFor<T>(keys)
      if (found !== null) return found.value
    }
    try {
      const result = await work()
      const text = JSON.stringify(result)
      if (text.length <= MOST_SHARED) {
        const px = Math.max(keepMs(result), POLL_MS * 4)
        await redis.soft((client) => client.set(keys.result, text, { PX: px }) as Promise<unknown>, null)
      }
      return result
    } finally {
      await redis.soft((client) => client.eval(RELEASE, { keys: [keys.lock], arguments: [token] }), null)
    }
  }

  return {
    run<T>(name: string, work: () => Promise<T>, keepMs: (result: T) => number, fresh = false): Promise<T> {
      const known = here.get(name)
      if (known !== undefined) return known as Promise<T>
      const running = across(name, work, keepMs, fresh).finally(() => here.delete(name))
      here.set(name, running)
      return running
    },
  }
}
