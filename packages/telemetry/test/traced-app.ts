/** A process for the tracing test: incoming HTTP → bus message → SQL and Redis, and outgoing HTTP. Ends itself. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  currentTraceId,
  describeSpan,
  extractTrace,
  injectTrace,
  inSpan,
  SERVICE_ATTRIBUTE,
  shutdownTelemetry,
} from '@murmuration/telemetry'
import pg from 'pg'
import { createClient } from 'redis'
import { request } from 'undici'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 })
const redis = await createClient({ url: process.env.REDIS_URL }).connect()
const secret = process.env.CANARY ?? ''

/** The receiver of a message: continues the trace from the headers only, outside of the sender's call stack. */
const handle = (headers: Map<string, string>): Promise<string> =>
  new Promise((resolve) => {
    setImmediate(async () => {
      const parent = extractTrace((name) => headers.get(name))
      const attributes = { 'rpc.system': 'nats', 'db.user': secret, [SERVICE_ATTRIBUTE]: 'statuses' }
      const answer = await inSpan('rpc.statuses.timeline.home', attributes, query, { kind: 'server', parent })
      resolve(answer)
    })
  })

const query = async (): Promise<string> => {
  await pool.query('select $1::text as found', [secret])
  await pool.query(`select '${secret}' as literal`)
  await pool.query(`select $1::uuid`, [secret]).catch(() => {})
  await Promise.all(Array.from({ length: 5 }, () => pool.query({ name: 'five', text: 'select 5' })))
  await redis.set(`trace-test:${process.pid}`, secret, { expiration: { type: 'PX', value: 1_000 } })
  const pipeline = redis.multi()
  for (let i = 0; i < 300; i++) pipeline.exists(secret)
  await pipeline.execAsPipeline()
  return currentTraceId() ?? 'none'
}

const remote = createServer((request, response) => {
  response.end(request.headers.traceparent)
})
await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve))
const remotePort = (remote.address() as AddressInfo).port

const server = createServer((incoming, response) => {
  if (incoming.url === '/livez') return void response.end()
  describeSpan({ 'http.route': '/api/v1/timelines/home', [SERVICE_ATTRIBUTE]: 'gateway' }, 'GET /api/v1/timelines/home')
  const headers = new Map<string, string>()
  const call = inSpan(
    'call',
    {},
    () => {
      injectTrace((name, value) => headers.set(name, value))
      return handle(headers)
    },
    { kind: 'client' },
  )
  call.then(async (traceId) => {
    const delivery = await request(`http://127.0.0.1:${remotePort}/inbox?signature=${secret}`, {
      headers: { cookie: secret },
    })
    response.end(JSON.stringify({ traceId, sent: await delivery.body.text() }))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

await pool.query('select 1 as outside_of_any_span')
await (await request(`http://127.0.0.1:${port}/livez`)).body.text()
const url = `http://127.0.0.1:${port}/api/v1/timelines/home?limit=20&access_token=${secret}`
const answer = await request(url, { headers: { authorization: `Bearer ${secret}`, 'user-agent': secret } })
process.stdout.write(await answer.body.text())
server.close()
remote.close()
await pool.end()
await redis.close()
await shutdownTelemetry()
