/** Connection to one Redis endpoint: short timeouts, no queue while disconnected, and a circuit breaker (F032). */
import { createCircuitBreaker } from '@murmuration/flow'
import { RedisClient as Client, type RedisClientType } from '@redis/client'
import { type Probe, runProbe } from './probe.js'
import { isAboutOne, isReadOnly, refusalIn } from './refusal.js'

// biome-ignore lint/suspicious/noExplicitAny: modules, functions and scripts are not used; their type parameters only get in the way.
export type RedisClient = RedisClientType<any, any, any, any, any>

export interface Redis {
  readonly client: RedisClient
  /**
   * Runs a command or pipeline. Returns `fallback` when Redis is unavailable, slow or full. The caller must then use
   * another source, because Redis contains only data that can be rebuilt.
   */
  withFallback<T>(work: (client: RedisClient) => Promise<T>, fallback: T): Promise<T>
  /** Runs a command or pipeline. Rejects with the error, for callers with their own fallback. */
  run<T>(work: (client: RedisClient) => Promise<T>): Promise<T>
  /** True when Redis responds. The health check also runs the probe of permissions, at most once a second. */
  healthy(): Promise<boolean>
  /**
   * Reason, as one line, why Redis refuses commands: a wrong login, a key or command without permission, or a server
   * that accepts no writes. Returns null while the connection works, and while Redis is unavailable. A refused key or
   * command is reported for a minute.
   */
  refusal(): string | null
  close(): Promise<void>
}

export interface RedisOptions {
  url: string
  /** Name of the connection. */
  name: string
  /** Keys and commands with which the probe tests the permissions of the Redis user. */
  probe?: Probe
  timeoutMs?: number
  onTrouble?: (error: unknown) => void
}

const OPEN_MS = 1_000
const FAILURES_TO_OPEN = 5
const PROBE_EVERY_MS = 1_000
const PROBE_MS = 1_000
const TOLD_MS = 60_000
/** Minimum milliseconds between two reconnections while the connected Redis refuses writes. */
const MOVE_MS = 5_000

class RedisAway extends Error {}

type Options = Parameters<typeof Client.create>[0]
/**
 * Factory of clients. The factory is shared, because the library creates a class with hundreds of commands for each
 * factory.
 */
let makeClient: ((options: Options) => RedisClient) | undefined
const createClient = (options: Options): RedisClient => {
  makeClient ??= Client.factory() as (options: Options) => RedisClient
  return makeClient(options)
}

/** Opens a connection that reconnects. Commands fail immediately while the connection is interrupted. */
export const openRedis = async (options: RedisOptions): Promise<Redis> => {
  const timeoutMs = options.timeoutMs ?? 100
  const client = createClient({
    url: options.url,
    name: options.name,
    disableOfflineQueue: true,
    // CLIENT SETINFO does not exist before Redis 7.2, and the Redis user has no permission for it.
    disableClientInfo: true,
    // `run` has its own timeout. The command timeout of the client is off, because it would occupy a signal and a
    // timer per command for five seconds.
    commandOptions: { timeout: undefined },
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, 2_000) },
  })
  let loggedAt = 0
  let refused: { reason: string; at: number; byProbe?: boolean } | null = null
  let movedAt = Number.NEGATIVE_INFINITY
  let isClosed = false
  /**
   * Reconnects after a failover. The connection is still to the old primary, while the host name already resolves to
   * the new primary.
   */
  const move = () => {
    if (isClosed || !client.isReady || performance.now() - movedAt < MOVE_MS) return
    movedAt = performance.now()
    client.destroy()
    client.connect().catch(trouble)
  }
  const note = (error: unknown, byProbe = false) => {
    const reason = refusalIn(error)
    if (reason === null) return
    refused = { reason, at: performance.now(), byProbe }
    if (isReadOnly(reason)) move()
  }
  const trouble = (error: unknown) => {
    note(error)
    // Logs at most one line a second, so that an unavailable Redis does not fill the log.
    if (Date.now() - loggedAt < 1_000) return
    loggedAt = Date.now()
    options.onTrouble?.(error)
  }
  client.on('error', trouble)
  client.on('ready', () => {
    if (refused && !isAboutOne(refused.reason)) refused = null
  })
  // The connection is not awaited, because services start in any order and all callers have a fallback.
  client.connect().catch(trouble)
  await Promise.race([
    new Promise((resolve) => client.once('ready', resolve)),
    new Promise((resolve) => client.once('error', (error) => refusalIn(error) !== null && resolve(null))),
    new Promise((resolve) => setTimeout(resolve, 2_000)),
  ])

  const breaker = createCircuitBreaker({
    failures: FAILURES_TO_OPEN,
    openMs: OPEN_MS,
    resetMs: 0,
    now: () => performance.now(),
  })
  const run = async <T>(work: (client: RedisClient) => Promise<T>): Promise<T> => {
    if (breaker.isOpen() || !client.isReady) throw new RedisAway('Redis is away')
    let timer: NodeJS.Timeout | undefined
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new RedisAway(`Redis took more than ${timeoutMs} ms`)), timeoutMs)
      })
      const result = await Promise.race([work(client), late])
      breaker.succeeded()
      return result
    } catch (error) {
      note(error)
      breaker.failed()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  let probed: { at: number; end: Promise<void> } | null = null
  /** Runs the probe. Resolves within a second, also if Redis does not respond. */
  const probe = (): Promise<void> => {
    if (!options.probe || !client.isReady) return Promise.resolve()
    if (probed && performance.now() - probed.at < PROBE_EVERY_MS) return probed.end
    const done = runProbe(client, options.probe).then(
      () => {
        const isOver = refused && (refused.byProbe || !isAboutOne(refused.reason))
        const old = isOver || (refused && performance.now() - refused.at > TOLD_MS)
        if (old) refused = null
      },
      (error: unknown) => {
        trouble(error)
        note(error, true)
      },
    )
    const late = new Promise<void>((resolve) => setTimeout(resolve, PROBE_MS).unref())
    probed = { at: performance.now(), end: Promise.race([done, late]) }
    return probed.end
  }
  return {
    client,
    run,
    async withFallback(work, fallback) {
      try {
        return await run(work)
      } catch (error) {
        trouble(error)
        return fallback
      }
    },
    healthy: async () => {
      await probe()
      return client.isReady
    },
    refusal: () => refused?.reason ?? null,
    close: async () => {
      isClosed = true
      if (client.isOpen) await client.close().catch(() => client.destroy())
    },
  }
}
