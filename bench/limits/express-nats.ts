/**
 * Limit of scenarios that read a page: only Express, one NATS round trip, and a responder that sends a prepared body.
 * The first argument is `gateway` or `responder`.
 */
import { connect } from '@nats-io/transport-node'
import express from 'express'

const [role = 'gateway', natsUrl = '', port = '0', size = '20000'] = process.argv.slice(2)
const nc = await connect({ servers: natsUrl, noAsyncTraces: true })

if (role === 'gateway') {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  const payload = new TextEncoder().encode('{"route":"timeline.home","account":"1","limit":20}')
  app.get('/{*any}', async (_req, res) => {
    const message = await nc.request('bench.timeline', payload, { timeout: 5_000 })
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': message.data.length })
    res.end(message.data)
  })
  app.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
} else {
  const body = Buffer.alloc(Number(size), 'x')
  nc.subscribe('bench.timeline', { queue: 'q', callback: (_error, message) => void message.respond(body) })
  await nc.flush()
  process.send?.('ready')
}
process.on('SIGTERM', () => process.exit(0))
