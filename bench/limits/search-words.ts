/** The limit of a search: one NATS round trip and the bare full-text query for the newest twenty, in a responder that has the page ready. */
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { wordOf } from '../lib/library.js'

const [natsUrl = '', size = '20000', databaseUrl = ''] = process.argv.slice(2)
const nc = await connect({ servers: natsUrl, noAsyncTraces: true })
const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 })
const body = Buffer.alloc(Number(size), 'x')
const text = `select status_id from statuses.status_search where words @@ plainto_tsquery('simple', $1)
  order by status_id desc limit 20`
let asked = 0
nc.subscribe('bench.timeline', {
  queue: 'q',
  callback: (_error, message) => {
    pool.query(text, [wordOf(asked++)]).then(
      () => message.respond(body),
      (error) => process.stderr.write(`${error.stack}\n`, () => process.exit(1)),
    )
  },
})
await nc.flush()
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
