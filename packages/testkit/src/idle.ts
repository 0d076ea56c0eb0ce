/** Checks whether a cluster still has work: events that are not published, or messages that are not acknowledged. */
import {
  type ConsumerInfo,
  eventStream,
  jetstreamManager,
  jobStream,
  type NatsConnection,
  POLICY_BUCKET,
} from '@murmuration/bus'
import type { App } from '@murmuration/kernel'
import pg from 'pg'

export interface IdleCheck {
  /**
   * Description of the first work that was found; null if there is none. Handlers acknowledge a message after their
   * transaction is committed. So no handler runs when all messages are acknowledged, all outboxes are empty, and no
   * stream has changed meanwhile.
   */
  busy(): Promise<string | null>
  close(): Promise<void>
}

interface Stream {
  readonly name: string
  /** Changes with each stored message and each new consumer. */
  readonly state: string
  readonly messages: number
  readonly consumers: number
}

/** Tables with pending work of a service, in addition to its outbox. */
const otherWork: Record<string, string[]> = { federation: ['held_activities'] }

/** Name of the login that may read every stream of a test's NATS server. */
export const OBSERVER = 'observer'
export const observerPermissions = {
  publish: ['$JS.API.>', `$KV.${POLICY_BUCKET}.>`],
  subscribe: [`_INBOX_${OBSERVER}.>`],
}

/** Opens the connections of an idle check. */
export const createIdleCheck = async (options: {
  /** Database URL of a role that may read every schema. */
  databaseUrl: string
  apps: readonly App[]
  observer: NatsConnection
}): Promise<IdleCheck> => {
  const { databaseUrl, apps, observer } = options
  const services = apps.filter((app) => app.manifest.database).map((app) => app.manifest.service)
  const db = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  // The database connection fails in tests that stop PostgreSQL. Without a listener, its error would end the process.
  db.on('error', () => {})
  const jsm = await jetstreamManager(observer, { checkAPI: false })
  const jobs = new Set(services.map(jobStream))
  // For each stream, one entry per consumer that must exist. Before the stream exists, the bus refuses messages. Before
  // a consumer exists, its messages are not counted as pending.
  const expected = Map.groupBy(
    apps.flatMap(({ manifest }) => [
      ...manifest.reactions.map((one) => eventStream(one.event.service)),
      ...manifest.jobs.map(() => jobStream(manifest.service)),
    ]),
    (stream) => stream,
  )
  const own = new Set([...jobs, ...services.map(eventStream)])
  const needed = apps
    .flatMap(({ manifest: { service, jobs, announces } }) => [
      ...(jobs.length > 0 ? [jobStream(service)] : []),
      ...(announces.length > 0 ? [eventStream(service)] : []),
    ])
    .filter((stream) => own.has(stream) && expected.has(stream))
  const tables = services.flatMap((service) => [
    `select '${service}.outbox' as "where" from ${service}.outbox where sent_at is null`,
    ...(otherWork[service] ?? []).map((table) => `select '${service}.${table}' from ${service}.${table}`),
  ])
  const unsent = async (): Promise<string | null> => {
    if (tables.length === 0) return null
    const { rows } = await db.query<{ where: string }>({
      name: 'unsent',
      text: `select * from (${tables.join(' union all ')}) as unfinished limit 1`,
    })
    return rows[0]?.where ?? null
  }
  const streams = async (): Promise<Stream[]> => {
    const found: Stream[] = []
    for await (const { config, created, state } of jsm.streams.list())
      if (own.has(config.name))
        found.push({
          name: config.name,
          state: `${created} ${state.last_seq} ${state.consumer_count}`,
          messages: state.messages,
          consumers: state.consumer_count,
        })
    return found
  }

  /** Sequence of the newest message with this subject; 0 when there is none. */
  const newest = async (stream: string, subject: string): Promise<number> => {
    const message = await jsm.streams.getMessage(stream, { last_by_subj: subject })
    return message?.seq ?? 0
  }
  /** Stream → subject → state of the subject when all of its messages were last found acknowledged. */
  const finished = new Map<string, Map<string, string>>()
  const countBySubject = async (stream: string): Promise<Map<string, string>> => {
    const { created, state } = await jsm.streams.info(stream, { subjects_filter: '>' })
    // The state contains the sequence of the first message. A full stream drops its first message for each new message,
    // so its number of messages does not change.
    return new Map(
      Object.entries(state.subjects ?? {}).map(([name, count]) => [name, `${created} ${state.first_seq} ${count}`]),
    )
  }
  /**
   * True when all messages of a stream are acknowledged. The NATS server updates the count of pending messages shortly
   * after it stored the messages. So the newest message of each changed subject is compared with the acknowledgements
   * of its consumers.
   */
  const isAcknowledged = async (stream: string): Promise<boolean> => {
    const counts = await countBySubject(stream)
    const consumers: ConsumerInfo[] = []
    for await (const one of jsm.consumers.list(stream)) consumers.push(one)
    if (consumers.some((one) => one.num_pending + one.num_ack_pending > 0)) return false
    const bySubject = Map.groupBy(consumers, (one) => one.config.filter_subject ?? '>')
    const known = finished.get(stream)
    const behind = await Promise.all(
      [...bySubject].map(async ([subject, all]) => {
        const count = counts.get(subject)
        if (count === undefined || count === known?.get(subject)) return false
        const least = Math.min(...all.map((one) => one.ack_floor.stream_seq))
        return (await newest(stream, subject)) > least
      }),
    )
    if (behind.includes(true)) return false
    finished.set(stream, counts)
    return true
  }
  /** State of each stream when all of its messages were last found acknowledged. */
  const acknowledged = new Map<string, string>()

  return {
    async busy() {
      const table = await unsent()
      if (table !== null) return `rows of ${table} are not published`
      const all = await streams()
      // Streams of jobs contain only jobs that are not done.
      const left = all.find((one) => jobs.has(one.name) && one.messages > 0)
      if (left) return `${left.messages} jobs are in ${left.name}`
      const missing = needed.find((name) => all.every((one) => one.name !== name))
      if (missing) return `${missing} is not created`
      const early = all.find((one) => one.consumers < (expected.get(one.name)?.length ?? 0))
      if (early) return `consumers of ${early.name} are not created`
      const changed = all.filter((one) => acknowledged.get(one.name) !== one.state)
      const checked = await Promise.all(
        changed.map(async ({ name, state }) => {
          const isDone = jobs.has(name) || (await isAcknowledged(name))
          if (isDone) acknowledged.set(name, state)
          return isDone
        }),
      )
      if (checked.includes(false))
        return `messages of ${changed.map(({ name }) => name).join(', ')} are not acknowledged`
      // The handlers of these messages may have written to outboxes and streams after the outboxes and streams were
      // checked.
      return changed.length === 0 ? null : `${changed.map(({ name }) => name).join(', ')} changed`
    },
    close: () => db.end(),
  }
}

/**
 * Milliseconds until the next check: a third of the time since the start of the wait, because each check slows down the
 * services.
 */
const pauseAfter = (waitedMs: number): number => Math.min(150, Math.max(8, waitedMs / 3))

/** Waits until the check finds no work. After `timeoutMs`, throws an error with the work that was found last. */
export const waitUntilIdle = async (check: IdleCheck, timeoutMs: number): Promise<void> => {
  const begun = performance.now()
  const waited = () => performance.now() - begun
  // An error counts as work, because some tests stop PostgreSQL or NATS for some time.
  const look = () => check.busy().catch((error) => String(error))
  for (let found = await look(); found !== null; found = await look()) {
    if (waited() > timeoutMs) throw new Error(`not idle after ${timeoutMs} ms: ${found}`)
    if (!found.endsWith(' changed')) await new Promise((resolve) => setTimeout(resolve, pauseAfter(waited())))
  }
}
