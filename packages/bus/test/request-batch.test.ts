/** Request batches on a real bus: few messages, while each request keeps its envelope, deadline and response. */
import { olderNames } from '@murmuration/contracts/kit'
import { startNats, type TestNats } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  connectBus,
  type Envelope,
  headers,
  type NatsConnection,
  type RpcResponse,
  registerService,
  sendRequest,
  serveEndpoint,
} from '../src/index.js'

const SUBJECT = 'rpc.media.batch.ask'
let nats: TestNats
let asker: NatsConnection
let answerer: NatsConnection
/** Requests in each message. */
let messages: number[] = []
let release: () => void = () => undefined
let held: Promise<void>

const answerTo = async (text: string, envelope: Envelope): Promise<RpcResponse | null> => {
  if (text === 'silent') return null
  if (text === 'slow') await held
  const refused = text === 'refused'
  const meta = { status: refused ? 401 : 202, headers: { For: text }, next: null, prev: null }
  return {
    bytes: new TextEncoder().encode(
      text === 'empty' ? '' : `${text} of ${envelope.requestId}\nby ${envelope.caller?.ip}`,
    ),
    meta: { ...meta, code: refused ? 'unauthenticated' : null },
  }
}

beforeAll(async () => {
  nats = await startNats()
  const open = (service: string) => connectBus({ url: nats.url, service, name: 'test', password: null })
  asker = await open('gateway')
  answerer = await open('media')
  serveEndpoint(await registerService(answerer, 'media', '1.0.0'), {
    name: 'media.batch.ask',
    subject: SUBJECT,
    about: 'Answers.',
    large: false,
    handle: async (question) =>
      answerTo(
        JSON.parse(String(typeof question.data === 'string' ? question.data : new TextDecoder().decode(question.data))),
        question.envelope(),
      ),
    unsent: () => undefined,
  })
  answerer.subscribe(SUBJECT, {
    callback: (_error, message) => void messages.push(Number(message.headers?.get(olderNames.requestBatch) || 1)),
  })
  await answerer.flush()
})
afterAll(async () => {
  await asker.close()
  await answerer.close()
  await nats.stop()
})
beforeEach(() => {
  messages = []
  held = new Promise((resolve) => {
    release = resolve
  })
})

const envelope = (requestId: string, remainingMs: number): Envelope => ({
  remainingMs,
  caller: { viewer: null, app: null, ip: `192.0.2.${requestId}`, userAgent: null },
  requestId,
  commandId: null,
  idempotencyKey: null,
  locale: '',
  traceparent: '',
})
const one = (text: string, id: number, { subject = SUBJECT, ms = 5_000 } = {}) =>
  sendRequest(asker, subject, JSON.stringify(text), envelope(String(id), ms), { together: true })
const textOf = ({ bytes }: RpcResponse): string => new TextDecoder().decode(bytes)

test('many simultaneous requests take few messages, and each has its own caller and response', async () => {
  const texts = Array.from({ length: 60 }, (_, n) =>
    n === 7 ? 'refused' : n === 8 ? 'empty' : `question ${n}\nin two lines`,
  )
  const answers = await Promise.all(texts.map((text, n) => one(text, n)))
  answers.forEach((answer, n) => {
    expect(textOf(answer)).toBe(n === 8 ? '' : `${texts[n]} of ${n}\nby 192.0.2.${n}`)
    expect([answer.meta.status, answer.meta.headers.For]).toEqual([n === 7 ? 401 : 202, texts[n]])
  })
  expect(messages).toEqual([25, 25, 10])
})

test('a single request is an ordinary message', async () => {
  expect(textOf(await one('alone', 1))).toBe('alone of 1\nby 192.0.2.1')
  expect(messages).toEqual([1])
})

test('a slow request delays no other one of its batch', async () => {
  const slow = one('slow', 1)
  const others = await Promise.all(['a', 'b', 'c'].map((text, n) => one(text, n)))
  expect(others.map(textOf)).toEqual(['a of 0\nby 192.0.2.0', 'b of 1\nby 192.0.2.1', 'c of 2\nby 192.0.2.2'])
  expect(messages).toEqual([4])
  release()
  expect(textOf(await slow)).toBe('slow of 1\nby 192.0.2.1')
})

test('each request has its own deadline', async () => {
  const [silent, late, answered] = await Promise.allSettled([
    one('silent', 1, { ms: 50 }),
    one('slow', 2, { ms: 60 }),
    one('quick', 3),
  ])
  expect(messages).toEqual([3])
  expect(silent).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } })
  expect(late).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } })
  expect(answered.status).toBe('fulfilled')
})

test('F003 a missing responder fails all requests of a batch at once', async () => {
  const asked = [1, 2, 3].map((n) => one('a', n, { subject: 'nobody', ms: 60_000 }).catch((error) => error.code))
  expect(await Promise.all(asked)).toEqual(['unavailable', 'unavailable', 'unavailable'])
})

test('long requests are sent alone, others as many as fit into a message', async () => {
  const long = 'x'.repeat(300_000)
  const middle = 'y'.repeat(40_000)
  const answers = await Promise.all([long, ...Array(8).fill(middle), 'short'].map((text, n) => one(text, n)))
  expect(answers.map((answer) => answer.bytes.length)).toEqual(
    answers.map((_, n) => (n === 0 ? long : n < 9 ? middle : 'short').length + ` of ${n}\nby 192.0.2.${n}`.length),
  )
  expect(messages).toEqual([1, 4, 5])
})

test('a request of several lines is sent alone', async () => {
  const spread = sendRequest(asker, SUBJECT, '\n"spread"\n', envelope('1', 5_000), { together: true })
  expect((await Promise.all([spread, one('a', 2), one('b', 3)])).map(textOf)).toEqual([
    'spread of 1\nby 192.0.2.1',
    'a of 2\nby 192.0.2.2',
    'b of 3\nby 192.0.2.3',
  ])
  expect(messages.toSorted()).toEqual([1, 2])
})

test('F022 an unreadable response fails only its own requests', async () => {
  const unreadable = answerer.subscribe('rpc.media.batch.unreadable', {
    callback: (_error, message) => void message.respond('{"error":"what is a batcher?"}'),
  })
  await answerer.flush()
  const asked = [1, 2].map((n) => one('a', n, { subject: 'rpc.media.batch.unreadable' }).catch((error) => error.code))
  expect(await Promise.all(asked)).toEqual(['unavailable', 'unavailable'])
  expect(textOf(await one('heard', 3))).toBe('heard of 3\nby 192.0.2.3')
  unreadable.unsubscribe()
})

test('F022 a line without an envelope is refused, and the other requests are answered', async () => {
  const heard: string[] = []
  const inbox = asker.subscribe('_INBOX_gateway.broken', {
    callback: (_error, message) => void heard.push(message.string()),
  })
  const h = headers()
  h.set(olderNames.requestBatch, '2')
  const sound = JSON.stringify({ Version: '1', 'Deadline-Ms': '1000', 'Request-Id': '4' })
  asker.publish(SUBJECT, ['{"Version":"2"}', '"a"', sound, '"b"'].join('\n'), {
    reply: '_INBOX_gateway.broken',
    headers: h,
  })
  await expect.poll(() => heard.join('\n')).toContain('b of 4')
  expect(heard.join('\n')).not.toContain('a of')
  inbox.unsubscribe()
})

test('F016 a lost server fails the requests in progress, and later ones succeed after its return', async () => {
  const lost = ['slow', 'slow'].map((text, n) => one(text, n, { ms: 60_000 }).catch((error) => error.code))
  await expect.poll(() => messages).toEqual([2])
  await nats.kill()
  expect(await Promise.all(lost)).toEqual(['timeout', 'timeout'])
  release()
  await nats.start()
  await expect
    .poll(() => Promise.all(['a', 'b'].map((text, n) => one(text, n).then(textOf, () => ''))))
    .toEqual(['a of 0\nby 192.0.2.0', 'b of 1\nby 192.0.2.1'])
})
