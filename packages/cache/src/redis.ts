/** One Redis endpoint: short time-outs, no queue while it is away, and a breaker so that a sick Redis costs nobody time (F032). */
import { createCircuitBreaker } from '@murmuration/flow'
import { RedisClient as Client, type RedisClientType } from '@redis/client'
import { isAboutOne, isReadOnly, refusalIn } from './refusal.js'

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
  /** True when Redis answers; asks the probe too, at most once a second. */
  healthy(): Promise<boolean>
  /**
   * Why Redis answers and refuses the work, in one line: a wrong login, a key or command that this login may not use, a
   * server that takes no writes. Null while it works, and while it is away. A refused key or command is told for a minute.
   */
  refusal(): string | null
  close(): Promise<void>
}

export interface RedisOptions {
  url: string
  /** Name of the connection. */
  name: string
  /** The login must be able to write this key, to see these, and to run a script on the first. */
  probe?: { writes: string; reads: readonly string[]; scripts: boolean }
  timeoutMs?: number
  onTrouble?: (error: unknown) => void
}

const OPEN_MS = 1_000
const FAILURES_TO_OPEN = 5
const PROBE_EVERY_MS = 1_000
const PROBE_MS = 1_000
const TOLD_MS = 60_000
/** A connection is made anew so often at most while Redis takes no writes. */
const MOVE_MS = 5_000

class RedisAway extends Error {}

type Options = Parameters<typeof Client.create>[0]
/** The library makes a class with hundreds of commands for each client with other options; this one serves all. */
let makeClient: ((options: Options) => RedisClient) | undefined
const createClient = (options: Options): RedisClient => {
  makeClient ??= Client.factory() as (options: Options) => RedisClient
  return makeClient(options)
}

/** Opens a connection that mends itself; commands fail fast while it is down. */
export const openRedis = async (options: RedisOptions): Promise<Redis> => {
  const timeoutMs = options.timeoutMs ?? 100
  const client = createClient({
    url: options.url,
    name: options.name,
    disableOfflineQueue: true,
    // Redis before 7.2 does not know it, and the user may not say it.
    disableClientInfo: true,
    // `hard` has a time of its own; the client's would leave a signal and a timer behind with each command for five seconds.
    commandOptions: { timeout: undefined },
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, 2_000) },
  })
  let told = 0
  let refused: { reason: string; at: number; byProbe?: boolean } | null = null
  let movedAt = Number.NEGATIVE_INFINITY
  let isClosed = false
  /** After a failover the same address leads to the new primary, but this connection stays with the old one. */
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
    // One line a second at most: a Redis that is away would otherwise fill the log.
    if (Date.now() - told < 1_000) return
    told = Date.now()
    options.onTrouble?.(error)
  }
  client.on('error', trouble)
  client.on('ready', () => {
    if (refused && !isAboutOne(refused.reason)) refused = null
  })
  // Do not wait: services start in any order, and everything here has a way without Redis.
  client.connect().catch(trouble)
  await Promise.race([
    new Promise((resolve) => client.once('ready', resolve)),
    new Promise((resolve) => client.once('error', (error) => refusalIn(error) !== null && resolve(null))),
    new Promise((resolve) => setTimeout(resolve, 2_000)),
  ])

  const breaker = createCircuitBreaker({
    failures: FAILURES_TO_OPEN,
    openMs: OPEN_MS,
    forgetMs: 0,
    now: () => performance.now(),
  })
  const hard = async <T>(work: (client: RedisClient) => Promise<T>): Promise<T> => {
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
  const tryOut = async ({ writes, reads, scripts }: NonNullable<RedisOptions['probe']>) => {
    await client.set(writes, '1', { expiration: { type: 'PX', value: TOLD_MS } })
    if (scripts) await client.eval('return 1', { keys: [writes], arguments: [] })
    for (const key of reads) await client.exists(key)
  }
  let probed: { at: number; end: Promise<void> } | null = null
  /** Ends within a second, whatever Redis does. */
  const probe = (): Promise<void> => {
    if (!options.probe || !client.isReady) return Promise.resolve()
    if (probed && performance.now() - probed.at < PROBE_EVERY_MS) return probed.end
    const done = tryOut(options.probe).then(
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
    hard,
    async soft(work, fallback) {
      try {
        return await hard(work)
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
