/** Invalid messages: too large, too late, unreadable, to the inbox of another service, duplicated. */
import {
  connectBus,
  createPublisher,
  jetstream,
  jetstreamManager,
  type NatsConnection,
  writeEnvelope,
} from '@murmuration/bus'
import { event, internal, job, operation } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { headers } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type App, type BaseContext, handlersFor, processOnce, service } from '../src/index.js'

const say = operation('media.word.say', {
  viewer: internal(),
  class: 'write',
  input: z.object({ word: z.string() }),
  output: z.object({ done: z.boolean() }),
  about: 'Says a word.',
})
const said = event('media.word.said', { data: z.object({ word: z.string() }), about: 'A word was said.' })
const echo = job('media.echo', {
  data: z.object({ word: z.string() }),
  about: 'Echoes.',
  retry: { delays: [0.05], times: 2 },
})

const { handle, react, work } = handlersFor<BaseContext>()
const worked: string[] = []
const heard: string[] = []
const echoed: string[] = []
const app: App = {
  manifest: service('media', {
    operations: [
      handle(say, async (_ctx, _viewer, { word }) => {
        worked.push(word)
        return { done: true }
      }),
    ],
    reactions: [
      react(said, 'on-word-said', (ctx, e) =>
        ctx.db.tx(async (tx) => {
          await processOnce(tx, e, async () => heard.push(e.word))
        }),
      ),
    ],
    jobs: [work(echo, async (_ctx, { word }) => void echoed.push(word))],
    announces: [said],
    roles: { api: { operations: true, reactions: true, ticks: true, jobs: [echo], scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
let nc: NatsConnection
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
  // Publishing directly fails while the streams do not exist.
  await cluster.waitForIdle()
  const [media] = cluster.host.running
  if (!media) throw new Error('media does not run')
  nc = media.ctx.nc
})
afterAll(() => cluster.stop())

const asked = async (with_: Record<string, string>, body = '{"word":"asked"}') => {
  const h = headers()
  for (const [key, value] of Object.entries(with_)) h.set(key, value)
  const reply = await cluster.operator().request(say.subject, body, { headers: h, timeout: 5_000 })
  return reply.json<{ code?: string; done?: boolean }>()
}

test('F022 a request with 64 KB of headers is refused, does nothing, and the next one is answered', async () => {
  expect((await asked({ 'Deadline-Ms': '5000', Locale: 'x'.repeat(65_536) })).code).toBe('invalid')
  expect((await asked({ 'Deadline-Ms': '5000', Caller: 'not JSON' })).code).toBe('invalid')
  expect(worked).toEqual([])
  expect(await asked({ 'Deadline-Ms': '5000' })).toEqual({ done: true })
  expect(worked).toEqual(['asked'])
})

test('F028 a request after its deadline is not handled', async () => {
  const before = worked.length
  for (const left of ['0', '-5', 'NaN']) expect((await asked({ 'Deadline-Ms': left })).code).toBe('timeout')
  expect(worked).toHaveLength(before)
})

test('F027 an unreadable message is a dead letter immediately; fields of a newer version are accepted', async () => {
  const publisher = createPublisher(nc)
  const send = (subject: string, id: string, data: string | Uint8Array) => publisher.one({ subject, id, data })
  await send(echo.subject, 'g1', 'not JSON')
  await send(echo.subject, 'g2', Uint8Array.of(0, 255, 0, 1))
  await send(echo.subject, 'g3', '{"word":5}')
  await send(echo.subject, 'g4', '[]')
  await send(said.subject, '9001', '\u0000{')
  await send(echo.subject, 'g5', '{"word":"newer","added":{"by":"tomorrow"}}')
  await cluster.waitForIdle()
  expect(echoed).toEqual(['newer'])
  const letters = await cluster
    .db('media')
    .rows<{ reason: string; tries: number }>(sql`select reason, tries from dead_letters order by id`)
  expect(letters).toHaveLength(5)
  expect(new Set(letters.map((one) => one.tries))).toEqual(new Set([1]))
  expect(new Set(letters.map((one) => one.reason))).toEqual(new Set(['not JSON', 'not what the contract says']))
})

test('D078 a message of another major version is refused and stored, one of another minor version is handled', async () => {
  expect((await asked({ 'Deadline-Ms': '5000', Version: '2' })).code).toBe('invalid')
  expect((await asked({ 'Deadline-Ms': '5000', Version: '10.1' })).code).toBe('invalid')
  expect(await asked({ 'Deadline-Ms': '5000', Version: '1.7' })).toEqual({ done: true })
  const js = jetstream(nc)
  const send = (version: string, word: string) => {
    const h = headers()
    h.set('Version', version)
    return js.publish(echo.subject, JSON.stringify({ word }), { msgID: `version ${word}`, headers: h })
  }
  await send('2.0', 'of the future')
  await send('1.9', 'of tomorrow')
  await cluster.waitForIdle()
  expect(echoed).toContain('of tomorrow')
  expect(echoed).not.toContain('of the future')
  // Stored for a release that supports it.
  expect(await cluster.db('media').rows(sql`select data from dead_letters where reason = 'another version'`)).toEqual([
    { data: JSON.stringify({ word: 'of the future' }) },
  ])
})

test('D078 a request must have a valid caller', async () => {
  const person = { id: '1', userId: '1', permissions: 0, position: -1, locale: 'en' }
  const whole = { viewer: person, app: { id: '1', tokenId: '1', scopes: ['read'] }, ip: null, userAgent: null }
  const as = (caller: unknown) => asked({ 'Deadline-Ms': '5000', Caller: JSON.stringify(caller) })
  expect(await as(whole)).toEqual({ done: true })
  for (const wrong of [
    [],
    {},
    { ...whole, viewer: { id: 1 } },
    { ...whole, viewer: { ...person, permissions: '16' } },
    { ...whole, app: { id: '1', tokenId: '1', scopes: 'admin' } },
  ])
    expect([wrong, (await as(wrong)).code]).toEqual([wrong, 'invalid'])
})

test('D078 a sent message has version, id, deadline and trace', async () => {
  const sent = writeEnvelope({
    remainingMs: 1_000,
    caller: null,
    requestId: 'r',
    commandId: null,
    idempotencyKey: null,
    locale: 'en',
    traceparent: '',
  })
  expect([sent.get('Version'), sent.get('Deadline-Ms'), sent.get('Request-Id')]).toEqual(['1', '1000', 'r'])
  await createPublisher(nc).one({ subject: echo.subject, id: 'said', data: '{"word":"said"}' })
  const last = await (await jetstreamManager(nc, { checkAPI: false })).streams.getMessage('JOB_media', {
    last_by_subj: echo.subject,
  })
  expect([last?.header.get('Version'), last?.header.get('Nats-Msg-Id')]).toEqual(['1', 'said'])
})

test('F023 F025 the same event delivered to two workers at once has one effect', async () => {
  const publisher = createPublisher(nc)
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      publisher.one({
        subject: said.subject,
        id: `twice#${n}`,
        data: '{"word":"twice"}',
        headers: { 'Event-Id': '777' },
      }),
    ),
  )
  await cluster.waitForIdle()
  expect(heard).toEqual(['twice'])
})

test('A176 the bus refuses connections without a login', async () => {
  const refused = connectBus({ url: cluster.nats.url, service: 'unknown', name: 'unknown' } as never)
  await expect(refused).rejects.toThrow(/authorization violation/i)
})

test('A177 a service may not purge or delete a stream, including its own', async () => {
  const streamState = () => cluster.operator().request('$JS.API.STREAM.INFO.EVT_media', '', { timeout: 5_000 })
  const before = (await streamState()).json<{ state: { messages: number } }>().state.messages
  for (const verb of ['DELETE', 'PURGE', 'MSG.DELETE'])
    await expect(nc.request(`$JS.API.STREAM.${verb}.EVT_media`, '{"seq":1}', { timeout: 2_000 })).rejects.toThrow()
  expect((await streamState()).json<{ state: { messages: number } }>().state.messages).toBe(before)
})

test('F029 D076 a service cannot publish to the reply subjects of another', async () => {
  const denied = new Promise<string>((resolve) => {
    const watch = async () => {
      for await (const status of nc.status())
        if (status.type === 'error') resolve(String('error' in status ? status.error : ''))
    }
    watch()
  })
  nc.publish('_INBOX_operator.anything', '{}')
  expect(await denied).toMatch(/permissions violation/i)
})
