// One trace from HTTP over the bus to SQL, Redis and outgoing HTTP, exported by OTLP to a collector, without secrets.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SOURCE_ARGS } from '@murmuration/testkit'
import { type OtlpCollector, startOtlpCollector } from '@murmuration/testkit/outside/otlp-collector'
import type { ExportedSpan } from '@murmuration/testkit/outside/otlp-decode'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const app = fileURLToPath(new URL('./traced-app.ts', import.meta.url))
const CANARY = 'canary-5f1e0b7c'

let collector: OtlpCollector
let stores: Record<string, string> = {}
let stopStores = async () => {}

beforeAll(async () => {
  collector = await startOtlpCollector()
  const { DATABASE_URL, REDIS_URL } = process.env
  if (DATABASE_URL && REDIS_URL) {
    stores = { DATABASE_URL, REDIS_URL }
    return
  }
  const { startBacking } = await import(new URL('../../../bin/lib/backing.mjs', import.meta.url).href)
  const dir = await mkdtemp(join(tmpdir(), 'murmuration-trace-'))
  const backing = await startBacking({ dir, skip: { nats: true }, say: () => {} })
  stores = backing.env
  stopStores = async () => {
    await backing.stop()
    await rm(dir, { recursive: true })
  }
})
afterAll(() => Promise.all([collector.close(), stopStores()]))

const runApp = async (env: Record<string, string>) => {
  const flags = [...SOURCE_ARGS, '--import', '@murmuration/telemetry/preload']
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...clean } = process.env
  const { stdout } = await run(process.execPath, [...flags, app], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...clean, ...stores, CANARY, ...env },
    timeout: 60_000,
  })
  return JSON.parse(stdout) as { traceId: string; sent: string }
}

test('all spans are in one trace with their parents, and no export contains a secret', async () => {
  const { traceId, sent } = await runApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
  const spans = await collector.trace(['GET /api/v1/timelines/home', 'rpc.statuses.timeline.home', 'pg.query:SELECT'])
  const named = (name: string, kind: ExportedSpan['kind']) =>
    spans.filter((one) => one.name === name && one.kind === kind)
  const [entry] = named('GET /api/v1/timelines/home', 'server')
  const [call] = named('call', 'client')
  const [handler] = named('rpc.statuses.timeline.home', 'server')
  const queries = named('pg.query:SELECT', 'client')
  const [out] = named('GET', 'client')
  expect(entry).toMatchObject({ traceId, parentSpanId: '' })
  expect(call!.parentSpanId).toBe(entry!.spanId)
  expect(handler!.parentSpanId).toBe(call!.spanId)
  expect(queries.map((one) => one.parentSpanId)).toEqual([handler!.spanId, handler!.spanId, handler!.spanId])
  expect(named('pg.query:five', 'client')).toHaveLength(5)
  expect(named('redis-SET', 'client')).toMatchObject([{ parentSpanId: handler!.spanId }])
  expect(named('redis-EXISTS', 'client')).toHaveLength(50)
  expect(handler!.attributes['murmuration.calls_not_recorded']).toBe(250)
  expect(sent).toBe(`00-${traceId}-${out!.spanId}-01`)
  expect(named('GET', 'server')[0]!.parentSpanId).toBe(out!.spanId)

  expect(entry!.attributes).toMatchObject({
    'url.query': 'limit=20&access_token=***',
    'http.route': '/api/v1/timelines/home',
  })
  expect(queries.map((one) => one.attributes['db.query.text'])).toEqual([
    'select $1::text as found',
    'select ? as literal',
    'select $1::uuid',
  ])
  expect(queries[2]).toMatchObject({ status: { code: 2, message: '' } })
  expect(out!.attributes['url.full']).toMatch(/\/inbox\?signature=\*\*\*$/)
  // Spans have the name of their service. The other end is not a service.
  const nameOf = (span?: ExportedSpan) => span?.resource['service.name']
  expect([entry, call, out].map(nameOf)).toEqual(Array(3).fill('murmuration-gateway'))
  expect([handler, ...queries, ...named('redis-SET', 'client')].map(nameOf)).toEqual(
    Array(5).fill('murmuration-statuses'),
  )
  expect(nameOf(named('GET', 'server')[0])).toBe('murmuration-traced-app')
  expect(handler!.resource['service.instance.id']).toBe(entry!.resource['service.instance.id'])
  expect(collector.bodies.filter((body) => body.includes(CANARY))).toEqual([])
  // The probe and the query outside of any span left no span of their own.
  expect(collector.spans.all.filter((one) => one.traceId !== traceId)).toEqual([])
})

test('every span has a configured service name', async () => {
  const { traceId } = await runApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_SERVICE_NAME: 'murmuration-statuses-api',
  })
  const spans = collector.spans.all.filter((one) => one.traceId === traceId)
  expect(new Set(spans.map((one) => one.resource['service.name']))).toEqual(new Set(['murmuration-statuses-api']))
  expect(spans.find((one) => one.name === 'pg.query:five')!.attributes['murmuration.service']).toBe('statuses')
})

test('without an endpoint no span is recorded or exported', async () => {
  const before = collector.spans.all.length
  expect(await runApp({})).toEqual({ traceId: 'none', sent: '' })
  expect(collector.spans.all).toHaveLength(before)
})

test('an unavailable collector only loses the spans', async () => {
  const { traceId } = await runApp({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect(traceId).toMatch(/^[0-9a-f]{32}$/)
})
