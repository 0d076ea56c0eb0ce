/** Limit of the scenario `create`: a program that does only one NATS round trip and one fsynced PostgreSQL commit. */
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { runPlans } from '../lib/limit-work.js'

const [natsUrl = '', databaseUrl = ''] = process.argv.slice(2)
const nc = await connect({ servers: natsUrl, noAsyncTraces: true })
nc.subscribe('bench.echo', { callback: (_error, message) => void message.respond(message.data) })
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
await client.query('create schema if not exists bench')
await client.query('create table if not exists bench.writes (id bigserial primary key, text text)')
await nc.flush()

runPlans(async () => {
  await nc.request('bench.echo', 'x', { timeout: 5_000 })
  await client.query({ name: 'w', text: 'insert into bench.writes (text) values ($1)', values: ['Status'] })
})
