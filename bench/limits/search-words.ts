/**
 * Limit of the scenario `search`: only one NATS round trip and the full-text query for the newest 20 statuses, in a
 * responder that sends a prepared page.
 */
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { wordOf } from '../lib/statuses.js'

const [natsUrl = '', size = '20000', databaseUrl = ''] = process.argv.slice(2)
const nc = await connect({ servers: natsUrl, noAsyncTraces: true })
const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 })
const body = Buffer.alloc(Number(size), 'x')
const text = `select status_id from statuses.status_search where words @@ plainto_tsquery('simple', $1)
  order by status_id desc limit 20`
let searches = 0
nc.subscribe('bench.timeline', {
  queue: 'q',
  callback: (_error, message) => {
    pool.query(text, [wordOf(searches++)]).then(
      () => message.respond(body),
      (error) => process.stderr.write(`${error.stack}\n`, () => process.exit(1)),
    )
  },
})
await nc.flush()
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
