/** Tells whether anything is still on its way between services, cheaply enough to be asked again and again. */
import { eventStream, jetstreamManager, jobStream, type NatsConnection } from '@murmuration/bus'
import pg from 'pg'

export interface Calm {
  /**
   * What is still on its way, in words. Null when nothing waits in the database and every stream is as it was when it was found
   * worked off. Never null right after something was written: what is worked off may have written where was looked before.
   */
  busy(): Promise<string | null>
  close(): Promise<void>
}

interface Stream {
  readonly name: string
  /** Another one once something was written. */
  readonly state: string
  readonly messages: number
}

/** A consumer hears of a message a moment after it is stored. */
const HEARD_MS = 75
/** Where work of a service waits, besides its outbox. */
const offTheBus: Record<string, string[]> = { federation: ['held_activities'] }

/** Of services whose schemas are in this database. */
export const createCalm = async (options: {
  /** Of somebody who may read every schema. */
  databaseUrl: string
  services: readonly string[]
  operator: NatsConnection
}): Promise<Calm> => {
  const { databaseUrl, services, operator } = options
  const db = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  // Its server may be ended by a test.
  db.on('error', () => {})
  const jsm = await jetstreamManager(operator, { checkAPI: false })
  const jobs = new Set(services.map(jobStream))
  const own = new Set([...jobs, ...services.map(eventStream)])
  const waiting = services.flatMap((service) => [
    `select '${service}.outbox' as "where" from ${service}.outbox where sent_at is null`,
    ...(offTheBus[service] ?? []).map((table) => `select '${service}.${table}' from ${service}.${table}`),
  ])
  const waitsIn = async (): Promise<string | null> => {
    if (waiting.length === 0) return null
    const { rows } = await db.query<{ where: string }>(`${waiting.join(' union all ')} limit 1`)
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
        })
    return found
  }
  const isWorkedOff = async (stream: string) => {
    for await (const { num_pending, num_ack_pending } of jsm.consumers.list(stream))
      if (num_pending + num_ack_pending > 0) return false
    return true
  }
  /** What a stream was like when all of it was worked off, since when, and whether it was so when it was looked at again. */
  const workedOff = new Map<string, { state: string; since: number; sure: boolean }>()
  const isKnown = ({ name, state }: Stream) => {
    const known = workedOff.get(name)
    return known?.state === state && known.sure
  }
  const look = async ({ name, state }: Stream): Promise<void> => {
    const known = workedOff.get(name)
    const since = known?.state === state ? known.since : null
    const isLater = since !== null && performance.now() - since >= HEARD_MS
    if (since !== null && !isLater) return
    if (await isWorkedOff(name)) workedOff.set(name, { state, since: since ?? performance.now(), sure: isLater })
    else workedOff.delete(name)
  }
  return {
    async busy() {
      const place = await waitsIn()
      if (place !== null) return `something waits in ${place}`
      const all = await streams()
      // A job is in its stream until it is done.
      const left = all.find((one) => jobs.has(one.name) && one.messages > 0)
      if (left) return `${left.messages} jobs are in ${left.name}`
      const changed = all.filter((one) => !isKnown(one))
      for (const { name, state } of changed) if (jobs.has(name)) workedOff.set(name, { state, since: 0, sure: true })
      await Promise.all(changed.filter(({ name }) => !jobs.has(name)).map(look))
      return changed.length === 0 ? null : `${changed.map(({ name }) => name).join(', ')} changed a moment ago`
    },
    close: () => db.end(),
  }
}
