/** Tells whether anything is still on its way between services, cheaply enough to be asked again and again. */
import { eventStream, jetstreamManager, jobStream, type NatsConnection } from '@murmuration/bus'
import pg from 'pg'

export interface Calm {
  /**
   * True when no outbox holds anything unsent and every stream is as it was when it was found worked off. False at least
   * once after something was written: what is worked off may have written elsewhere, where was looked before.
   */
  now(): Promise<boolean>
  close(): Promise<void>
}

/** Of services whose schemas are in this database. */
export const createCalm = async (options: {
  /** Of somebody who may read every schema. */
  databaseUrl: string
  services: readonly string[]
  operator: NatsConnection
}): Promise<Calm> => {
  const { databaseUrl, services, operator } = options
  const db = new pg.Client({ connectionString: databaseUrl })
  // Its server may be ended by a test.
  db.on('error', () => {})
  await db.connect()
  const jsm = await jetstreamManager(operator, { checkAPI: false })
  const own = new Set(services.flatMap((service) => [eventStream(service), jobStream(service)]))
  const unsent = services.map((service) => `select 1 from ${service}.outbox where sent_at is null`).join(' union all ')
  const isSent = async () => services.length === 0 || (await db.query(`${unsent} limit 1`)).rows.length === 0

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
  /** What a stream was like when all of it was worked off: nothing comes back until more is written. */
  const workedOff = new Map<string, string>()
  return {
    async now() {
      if (!(await isSent())) return false
      const changed = (await states()).filter(([stream, state]) => workedOff.get(stream) !== state)
      await Promise.all(
        changed.map(async ([stream, state]) => {
          if (await isWorkedOff(stream)) workedOff.set(stream, state)
        }),
      )
      return changed.length === 0
    },
    close: () => db.end(),
  }
}
