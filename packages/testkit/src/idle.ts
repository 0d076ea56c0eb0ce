/**
 * Reports whether a cluster still has work to do: events that are not published, and messages that are not
 * acknowledged.
 */
import { type ConsumerInfo, eventStream, jetstreamManager, jobStream, type NatsConnection } from '@murmuration/bus'
import type { App } from '@murmuration/kernel'
import pg from 'pg'

export interface IdleCheck {
  /**
   * The first work that is still to be done, in words; null when there is none. Handlers acknowledge a message after their
   * transaction is committed. Therefore no handler runs when all messages are acknowledged, the outboxes are empty and no
   * stream has grown meanwhile.
   */
  busy(): Promise<string | null>
  close(): Promise<void>
}

interface Stream {
  readonly name: string
  /** Changes whenever a message is stored or a consumer is added. */
  readonly state: string
  readonly messages: number
  readonly consumers: number
}

/** Tables that hold work of a service besides its outbox. */
const otherWork: Record<string, string[]> = { federation: ['held_activities'] }

/** User of a test's NATS server that may read every stream. */
export const OBSERVER = 'observer'
export const observerPermissions = { publish: ['$JS.API.>'], subscribe: [`_INBOX_${OBSERVER}.>`] }

export const createIdleCheck = async (options: {
  /** Connection of a role that may read every schema. */
  databaseUrl: string
  apps: readonly App[]
  observer: NatsConnection
}): Promise<IdleCheck> => {
  const { databaseUrl, apps, observer } = options
  const services = apps.filter((app) => app.manifest.database).map((app) => app.manifest.service)
  const db = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  // Some tests end the database server.
  db.on('error', () => {})
  const jsm = await jetstreamManager(observer, { checkAPI: false })
  const jobs = new Set(services.map(jobStream))
  // A message is refused while its stream does not exist yet, and waits in it unseen while a consumer does not exist yet.
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
  /** Stream → subject → a text that changes with each message, when all of its messages were last found acknowledged. */
  const finished = new Map<string, Map<string, string>>()
  const countBySubject = async (stream: string): Promise<Map<string, string>> => {
    const { created, state } = await jsm.streams.info(stream, { subjects_filter: '>' })
    // A full stream drops its first message for each new one, which leaves the counts as they were.
    return new Map(
      Object.entries(state.subjects ?? {}).map(([name, count]) => [name, `${created} ${state.first_seq} ${count}`]),
    )
  }
  /**
   * The server counts pending messages a moment after it has stored them. The newest message of each subject with new messages
   * is therefore compared with what its consumers have acknowledged.
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
      // A job stays in its stream until it is done.
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
      // The handlers of these messages may have written to the outboxes and streams that were read before.
      return changed.length === 0 ? null : `${changed.map(({ name }) => name).join(', ')} changed`
    },
    close: () => db.end(),
  }
}

/** Milliseconds between two checks: a third of the time waited so far, because each check slows down the work. */
const pauseAfter = (waitedMs: number): number => Math.min(150, Math.max(8, waitedMs / 3))

/** Waits until the check finds no work; throws what it found last when `timeoutMs` have passed. */
export const waitUntilIdle = async (check: IdleCheck, timeoutMs: number): Promise<void> => {
  const begun = performance.now()
  const waited = () => performance.now() - begun
  // Errors are retried, because some tests stop the stores for a while.
  const look = () => check.busy().catch((error) => String(error))
  for (let found = await look(); found !== null; found = await look()) {
    if (waited() > timeoutMs) throw new Error(`not idle after ${timeoutMs} ms: ${found}`)
    if (!found.endsWith(' changed')) await new Promise((resolve) => setTimeout(resolve, pauseAfter(waited())))
  }
}
