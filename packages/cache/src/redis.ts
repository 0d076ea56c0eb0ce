/** One Redis endpoint: short time-outs, no queue while it is away, and a breaker so that a sick Redis costs nobody time (F032). */
import { createClient, type RedisClientType } from '@redis/client'

// biome-ignore lint/suspicious/noExplicitAny: modules, functions and scripts are not used; their type parameters only get in the way.
export type RedisClient = RedisClientType<any, any, any, any, any>

export interface Redis {
  readonly client: RedisClient
  /**
   * Runs a command or pipeline; gives `fallback` when Redis is away, slow or full. Reads must then look elsewhere;
   * nothing that matters lives only here.
   */
  soft<T>(work: (client: RedisClient) => Promise<T>, fallback: T): Promise<T>
  /** The same, but fails with the error, for callers that have a plan of their own. */
  hard<T>(work: (client: RedisClient) => Promise<T>): Promise<T>
  healthy(): Promise<boolean>
  close(): Promise<void>
}

export interface RedisOptions {
  url: string
  /** Prefix of every key this service may touch. */
  name: string
  timeoutMs?: number
  onTrouble?: (error: unknown) => void
}

const OPEN_MS = 1_000
const FAILURES_TO_OPEN = 5

class RedisAway extends Error {}

/** Opens a connection that mends itself; commands fail fast while it is down. */
export const openRedis = async (options: RedisOptions): Promise<Redis> => {
  const timeoutMs = options.timeoutMs ?? 100
  const client: RedisClient = createClient({
    url: options.url,
    name: options.name,
    disableOfflineQueue: true,
    // `hard` has a time of its own; the client's would leave a signal and a timer behind with each command for five seconds.
    commandOptions: { timeout: undefined },
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, 2_000) },
  })
  let told = 0
  const trouble = (error: unknown) => {
    // One line a second at most: a Redis that is away would otherwise fill the log.
    if (Date.now() - told < 1_000) return
    told = Date.now()
    options.onTrouble?.(error)
  }
  client.on('error', trouble)
  // Do not wait: services start in any order, and everything here has a way without Redis.
  client.connect().catch(trouble)
  await Promise.race([
    new Promise((resolve) => client.once('ready', resolve)),
    new Promise((resolve) => setTimeout(resolve, 2_000)),
  ])

  let failures = 0
  let openUntil = 0
  const hard = async <T>(work: (client: RedisClient) => Promise<T>): Promise<T> => {
    if (performance.now() < openUntil || !client.isReady) throw new RedisAway('Redis is away')
    let timer: NodeJS.Timeout | undefined
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new RedisAway(`Redis took more than ${timeoutMs} ms`)), timeoutMs)
      })
      const result = await Promise.race([work(client), late])
      failures = 0
      return result
    } catch (error) {
      if (++failures >= FAILURES_TO_OPEN) openUntil = performance.now() + OPEN_MS
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    client,
    hard,
    async soft(work, fallback) {
      try {
        return await hard(work)
      } catch (error) {
        trouble(error)
        return fallback
      }
    },
    healthy: async () => client.isReady,
    close: async () => {
      if (client.isOpen) await client.close().catch(() => client.destroy())
    },
  }
}
