/**
 * Creates missing streams and consumers of a service, and updates those whose settings differ. Repeats that while the
 * service runs.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  type ConsumerPlan,
  ensureConsumers,
  ensureStream,
  isNotFound,
  type JetStreamManager,
  type NatsConnection,
  type StreamPlan,
  type TopologyOptions,
  TopologyRefused,
} from '@murmuration/bus'
import type { Log } from './log.js'
import type { Outbox } from './outbox.js'

/**
 * Milliseconds between two checks if none is requested. NATS reads a file for each consumer that it lists. So frequent
 * checks would be a large share of the work of an idle server.
 */
const CHECK_MS = 300_000
/** Milliseconds between two checks of the live stream. It has no durable consumer that would report its loss. */
const LIVE_CHECK_MS = 30_000
/** Minimum milliseconds between a complete check and the next one that is requested. */
const GAP_MS = 1_000
/** Reason why a stream or consumer is not known to exist before its first check. */
const NOT_CHECKED = 'streams and consumers were not checked yet'

export interface Topology {
  /** Requests a check. Called when a stream or consumer is missing. */
  check(): void
  /**
   * Reason in one line why a stream of the service or one of these consumers is missing; null if all exist. The result
   * does not change while the bus does not respond.
   */
  missing(durables: readonly string[]): string | null
  stop(): void
}

interface TopologyParts {
  streams: readonly StreamPlan[]
  consumers: readonly ConsumerPlan[]
  limits: TopologyOptions
  nc: NatsConnection
  jsm: JetStreamManager
  /** Outbox of the service; null for a service without a database. */
  outbox: Outbox | null
  log: Log
  liveCheckMs?: number
}

/** Waits `ms` milliseconds, or until `end` is aborted. */
const wait = (ms: number, end: AbortSignal): Promise<unknown> =>
  pause(ms, undefined, { ref: false, signal: end }).catch(() => undefined)

/**
 * Checks immediately, every second until everything exists, after each reconnection, on request, and every five minutes
 * (F017). The live stream is checked every 30 seconds.
 */
export const keepTopology = (parts: TopologyParts): Topology => {
  const { streams, consumers, limits, nc, jsm, outbox, log, liveCheckMs = LIVE_CHECK_MS } = parts
  const stopping = new AbortController()
  let requested = new AbortController()
  let reconnected = new AbortController()

  /**
   * Kinds of streams that were created, and whose messages were not published again yet. After a failed check, the next
   * check publishes them.
   */
  const created = new Set<StreamPlan['kind']>()

  /** Reasons why streams and consumers are not known to exist, by name. */
  const absent = new Map(
    [...streams.map((one) => one.name), ...consumers.map((one) => one.durable)].map((name) => [name, NOT_CHECKED]),
  )
  const record = (name: string, error: unknown): void => {
    const isRefused = error instanceof TopologyRefused
    // If the stream of another service is missing, that service reports it. This service must not wait for the other
    // one, because the processes of both may start one after the other.
    if (error === null || (isRefused ? error.exists : isNotFound(error))) absent.delete(name)
    else if (isRefused || absent.has(name))
      absent.set(name, isRefused ? error.message : `${name} could not be checked: ${(error as Error)?.message}`)
  }
  const keepStream = async (plan: StreamPlan): Promise<void> => {
    try {
      if (await ensureStream(jsm, plan, limits)) created.add(plan.kind)
      record(plan.name, null)
    } catch (error) {
      record(plan.name, error)
      throw error
    }
  }

  const ensure = async (): Promise<void> => {
    const results = await Promise.allSettled(streams.map(keepStream))
    const errors: unknown[] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    const responds = !errors.some((error) => !(error instanceof TopologyRefused))
    if (responds) {
      const failures = await ensureConsumers(jsm, consumers)
      for (const { durable } of consumers) record(durable, failures.get(durable) ?? null)
      errors.push(...failures.values())
    }
    for (const kind of created) {
      // A created stream may replace a lost one. So the messages of the stream whose processing is not confirmed are
      // published again. The outbox still contains them.
      const resent = outbox && kind !== 'live' ? await outbox.resend(kind === 'events' ? 'evt' : 'job') : 0
      created.delete(kind)
      if (resent) log.warn({ kind, messages: resent }, 'a stream was lost; what it may have held is sent again')
    }
    if (errors.length > 0) throw errors[0]
  }
  /** Resolves to true when all streams and consumers exist. */
  const isWhole = (tries: number): Promise<boolean> =>
    ensure().then(
      () => true,
      (error: unknown) => {
        if (tries % 30 === 0) log.warn({ error }, 'some streams or consumers do not exist yet')
        return false
      },
    )
  const loop = async (): Promise<void> => {
    for (let tries = 1; !stopping.signal.aborted; tries++) {
      requested = new AbortController()
      reconnected = new AbortController()
      const end = AbortSignal.any([stopping.signal, reconnected.signal])
      if (await isWhole(tries)) {
        tries = 0
        await wait(GAP_MS, end)
        await wait(CHECK_MS, AbortSignal.any([end, requested.signal]))
      } else await wait(Math.min(100 * tries, 1_000), end)
    }
  }
  const live = streams.filter(({ kind }) => kind === 'live')
  const watchLive = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await wait(liveCheckMs, stopping.signal)
      if (!stopping.signal.aborted) await Promise.all(live.map(keepStream)).catch(() => 0)
    }
  }
  const watch = async (): Promise<void> => {
    for await (const status of nc.status()) if (status.type === 'reconnect') reconnected.abort()
  }
  watch().catch(() => undefined)
  loop()
  if (live.length) watchLive()
  return {
    check: () => requested.abort(),
    missing(durables) {
      const reasons = [...streams.map((one) => one.name), ...durables].flatMap((name) => absent.get(name) ?? [])
      const [first, ...others] = reasons
      if (first === undefined) return null
      return others.length === 0 ? first : `${first} (and ${others.length} more)`
    },
    stop: () => stopping.abort(),
  }
}
