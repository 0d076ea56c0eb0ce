/** Tells whether anything is still on its way between services, cheaply enough to be asked again and again. */
import { eventStream, jetstreamManager, jobStream, type NatsConnection } from '@murmuration/bus'
import pg from 'pg'

export interface Calm {
  /**
   * True when nothing waits in the database and every stream is as it was when it was found worked off. False at least
   * once after something was written: what is worked off may have written elsewhere, where was looked before.
   */
  now(): Promise<boolean>
  close(): Promise<void>
}

/** A consumer hears of a message a moment after it is stored. */
const HEARD_MS = 10
/** Work of a service that waits elsewhere. */
const offTheBus: Record<string, string[]> = { federation: ['select 1 from federation.held_activities'] }

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
  const own = new Set(services.flatMap((service) => [eventStream(service), jobStream(service)]))
  const waiting = services.flatMap((service) => [
    `select 1 from ${service}.outbox where sent_at is null`,
    ...(offTheBus[service] ?? []),
  ])
  const isSent = async () =>
    waiting.length === 0 || (await db.query(`${waiting.join(' union all ')} limit 1`)).rows.length === 0

  const states = async (): Promise<[stream: string, state: string][]> => {
    const found: [string, string][] = []
    for await (const { config, created, state } of jsm.streams.list())
      if (own.has(config.name)) found.push([config.name, `${created} ${state.last_seq} ${state.consumer_count}`])
    return found
  }
  const isWorkedOff = async (stream: string) => {
    for await (const { num_pending, num_ack_pending } of jsm.consumers.list(stream))
      if (num_pending + num_ack_pending > 0) return false
    return true
  }
  /** What a stream was like when all of it was worked off, since when, and whether it was so when it was looked at again. */
  const workedOff = new Map<string, { state: string; since: number; sure: boolean }>()
  const isKnown = ([stream, state]: [string, string]) => {
    const known = workedOff.get(stream)
    return known?.state === state && known.sure
  }
  const look = async (stream: string, state: string) => {
    if (!(await isWorkedOff(stream))) return workedOff.delete(stream)
    const known = workedOff.get(stream)
    const since = known?.state === state ? known.since : performance.now()
    return workedOff.set(stream, { state, since, sure: performance.now() - since >= HEARD_MS })
  }
  return {
    async now() {
      if (!(await isSent())) return false
      const changed = (await states()).filter((one) => !isKnown(one))
      await Promise.all(changed.map(([stream, state]) => look(stream, state)))
      return changed.length === 0
    },
    close: () => db.end(),
  }
}
