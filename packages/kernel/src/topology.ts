/** Keeps the streams and consumers of a service: creates missing ones, and updates different ones. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  type ConsumerPlan,
  ensureConsumers,
  ensureStream,
  type JetStreamManager,
  type NatsConnection,
  type StreamPlan,
  type TopologyOptions,
} from '@murmuration/bus'
import type { Log } from './log.js'
import type { Outbox } from './outbox.js'

/**
 * Milliseconds between two checks without a request for one. For each consumer, NATS reads a file to list it, so frequent
 * checks are a large share of the work of an idle server.
 */
const CHECK_MS = 300_000
/** Minimum milliseconds between two requested checks. */
const GAP_MS = 1_000

export interface Topology {
  /** Requests a check, because a stream or consumer is missing. */
  check(): void
  stop(): void
}

interface TopologyParts {
  streams: readonly StreamPlan[]
  consumers: readonly ConsumerPlan[]
  limits: TopologyOptions
  nc: NatsConnection
  jsm: JetStreamManager
  /** Null for a service without a database. */
  outbox: Outbox | null
  log: Log
}

/** Waits `ms` milliseconds, or until `end` is aborted. */
const wait = (ms: number, end: AbortSignal): Promise<unknown> =>
  pause(ms, undefined, { ref: false, signal: end }).catch(() => undefined)

/**
 * Checks immediately, every second until everything exists, after each reconnection, when a check is requested, and every
 * five minutes (F017).
 */
export const keepTopology = (parts: TopologyParts): Topology => {
  const { streams, consumers, limits, nc, jsm, outbox, log } = parts
  const stopping = new AbortController()
  let requested = new AbortController()
  let reconnected = new AbortController()

  const ensure = async (): Promise<void> => {
    const made = await Promise.all(
      streams.map(async (plan) => ((await ensureStream(jsm, plan, limits)) ? plan.kind : null)),
    )
    for (const kind of made) {
      // A stream that had to be created may have been lost. Unconfirmed messages of a lost stream are still in the outbox.
      const resent = outbox && kind && kind !== 'live' ? await outbox.resend(kind === 'events' ? 'evt' : 'job') : 0
      if (resent) log.warn({ kind, messages: resent }, 'a stream was lost; what it may have held is sent again')
    }
    await ensureConsumers(jsm, consumers)
  }
  /** True when everything exists now. */
  const isWhole = (tries: number): Promise<boolean> =>
    ensure().then(
      () => true,
      (error: unknown) => {
        if (tries % 30 === 0) log.warn({ error }, 'streams or consumers are not all there yet')
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
  const watch = async (): Promise<void> => {
    for await (const status of nc.status()) if (status.type === 'reconnect') reconnected.abort()
  }
  watch().catch(() => undefined)
  loop()
  return {
    check: () => requested.abort(),
    stop: () => stopping.abort(),
  }
}
