/** Backlog of the consumers of this process: pending count and age of the oldest waiting message, for /metrics. */
import type { JetStreamManager } from '@murmuration/bus'
import { consumerOldest, consumerPending } from './metrics.js'

/** A consumer whose messages this process handles. */
export interface Watched {
  stream: string
  durable: string
  /** Subject of the messages of the consumer. */
  filter: string
  /** True when the service may read the stream itself. A service may not read the streams of other services. */
  own: boolean
  /** Roles of this process that handle messages of the consumer. */
  roles: readonly string[]
}

export interface Waiting {
  pending: number
  /** Age in seconds of the oldest message that waits for its first delivery; 0 if there is none. */
  oldestSeconds: number
}

/** Milliseconds for which a measurement is cached for further scrapes. */
const FRESH_MS = 10_000
/** Maximum milliseconds that a scrape waits for a bus that does not respond. */
const PATIENCE_MS = 2_000

/** Observations of a consumer whose stream this process may not read. Times are milliseconds since 1970. */
export interface Seen {
  /** Storage time of the newest message that was delivered to this process for the first time. */
  newest: number
  /** Last time at which the consumer had no waiting message. */
  idle: number
  /** Time at which this process started. */
  since: number
}

/**
 * Upper bound in milliseconds of the age of the oldest waiting message. A consumer delivers messages in order. So a
 * waiting message is younger than the last delivered one, and younger than the last time without waiting messages.
 */
export const boundOf = ({ newest, idle, since }: Seen, now: number): number =>
  Math.max(0, now - (Math.max(newest, idle) || since))

export interface Backlog {
  /** Called for every message that is delivered to this process for the first time. `storedAt` is in milliseconds since 1970. */
  delivered(durable: string, storedAt: number): void
  /** Reads the state of all consumers from the bus, at most once in ten seconds. */
  refresh(): Promise<void>
  stop(): void
}

const all = new Set<Backlog>()
const refreshAll = async (): Promise<void> => {
  await Promise.all([...all].map((one) => one.refresh()))
}
for (const gauge of [consumerPending, consumerOldest])
  (gauge as unknown as { collect: () => Promise<void> }).collect = refreshAll

/**
 * Age in milliseconds of the first message of the consumer with a sequence of at least `seq`. Returns 0 if there is
 * none, and null if the stream cannot be read.
 */
export const ageFrom = async (
  jsm: JetStreamManager,
  { stream, filter }: Pick<Watched, 'stream' | 'filter'>,
  seq: number,
): Promise<number | null> => {
  try {
    const query = { seq, next_by_subj: filter }
    const message = await jsm.streams.getMessage(stream, query)
    return message ? Math.max(0, Date.now() - message.time.getTime()) : 0
  } catch {
    return null
  }
}

/**
 * Measures the consumers of one service when /metrics is scraped. All processes of a role report the same consumers, at
 * slightly different times, so alerts and autoscalers use the maximum. Messages that wait for a further try are not
 * counted, because more processes would not shorten that wait.
 */
export const startBacklog = (
  service: string,
  jsm: JetStreamManager,
  watched: readonly Watched[],
  now: () => number = Date.now,
): Backlog => {
  const since = now()
  const seen = new Map<string, Seen>(watched.map((one) => [one.durable, { newest: 0, idle: 0, since }]))
  const labelsOf = (one: Watched) => one.roles.map((role) => ({ service, role, consumer: one.durable }))
  const unwatch = (one: Watched) => {
    for (const labels of labelsOf(one)) {
      consumerPending.remove(labels)
      consumerOldest.remove(labels)
    }
  }

  const measure = async (one: Watched): Promise<Waiting> => {
    const known = seen.get(one.durable) as Seen
    const requestedAt = now()
    const info = await jsm.consumers.info(one.stream, one.durable)
    if (info.num_pending === 0) {
      known.idle = requestedAt
      return { pending: 0, oldestSeconds: 0 }
    }
    const exact = one.own ? await ageFrom(jsm, one, info.delivered.stream_seq + 1) : null
    return { pending: info.num_pending, oldestSeconds: (exact ?? boundOf(known, now())) / 1_000 }
  }
  const update = async (one: Watched): Promise<void> => {
    try {
      const { pending, oldestSeconds } = await measure(one)
      if (!all.has(backlog)) return
      for (const labels of labelsOf(one)) {
        consumerPending.set(labels, pending)
        consumerOldest.set(labels, oldestSeconds)
      }
    } catch {
      // The metric is removed if it cannot be measured. An outdated value would mislead an autoscaler, and without a
      // value an autoscaler changes nothing.
      unwatch(one)
    }
  }

  let begun = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const backlog: Backlog = {
    delivered(durable, storedAt) {
      const known = seen.get(durable)
      if (known && storedAt > known.newest) known.newest = storedAt
    },
    async refresh() {
      if (!running && now() - begun >= FRESH_MS) {
        begun = now()
        running = Promise.all(watched.map(update)).then(() => {
          running = undefined
        })
      }
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS)
      })
      await Promise.race([running, late])
      clearTimeout(timer)
    },
    stop() {
      all.delete(backlog)
      watched.forEach(unwatch)
    },
  }
  if (watched.length) all.add(backlog)
  return backlog
}
