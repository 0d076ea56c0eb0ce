/** Creating a status, until it is answered. */
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { alternate, repeat } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'

export const create: Scenario = {
  name: 'create',
  about: 'create a status, answered',
  limitIs: 'one fsynced PostgreSQL commit and one NATS round trip',
  target: { kind: 'latency', value: 5 },
  async run({ product, people, backing, pid, seconds }) {
    const author = await people.make('creator')
    const client = new pg.Client({ connectionString: product.databaseUrl })
    await client.connect()
    await client.query('create schema if not exists bench')
    await client.query('create table if not exists bench.writes (id bigserial primary key, text text)')
    const { startNats } = await import('@murmuration/testkit')
    const nats = await startNats()
    const nc = await connect({ servers: nats.url, noAsyncTraces: true })
    nc.subscribe('bench.echo', { callback: (_error, message) => void message.respond(message.data) })
    try {
      let n = 0
      return await alternate(
        3,
        () =>
          repeat({
            concurrency: 1,
            seconds,
            warmUp: 30,
            pids: [pid('edge'), pid('core'), pid('work'), product.nats.pid, backing.pg, backing.redis],
            one: () => people.as(author, 'POST', '/api/v1/statuses', { status: `Status number ${n++}` }),
          }),
        () =>
          repeat({
            concurrency: 1,
            seconds,
            warmUp: 30,
            pids: [process.pid, nats.pid, backing.pg],
            one: async () => {
              await nc.request('bench.echo', 'x', { timeout: 5_000 })
              await client.query({ name: 'w', text: 'insert into bench.writes (text) values ($1)', values: ['Status'] })
            },
          }),
      )
    } finally {
      await nc.close()
      await nats.stop()
      await client.end()
    }
  },
}
