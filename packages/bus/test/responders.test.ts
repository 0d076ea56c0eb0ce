/** Requests whose responder ends, hangs or is slow, on a real bus. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SOURCE_ARGS, startNats, type TestNats } from '@murmuration/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  connectBus,
  type Envelope,
  headers,
  type Msg,
  type NatsConnection,
  type SendOptions,
  sendRequest,
} from '../src/index.js'

/** Deadline of requests, and the time in which lost ones must fail, also on a busy machine. In milliseconds. */
const DEADLINE_MS = 30_000
const SOON_MS = 10_000
const envelope: Envelope = {
  remainingMs: DEADLINE_MS,
  caller: null,
  requestId: 'r',
  commandId: null,
  idempotencyKey: null,
  locale: 'en',
  traceparent: '',
}

let nats: TestNats
let caller: NatsConnection
let monitor: NatsConnection
const children = new Set<ChildProcess>()
beforeAll(async () => {
  nats = await startNats()
  caller = await connectBus({ url: nats.url, service: 'caller', name: 'caller', password: null })
  monitor = await connectBus({ url: nats.url, service: 'monitor', name: 'monitor', password: null })
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(async () => {
  await Promise.all([caller.close(), monitor.close()])
  await nats.stop()
})

/** Starts a process that responds to `rpc.<name>.<operation>` with its id, after the milliseconds in the request. */
const startResponder = async (name: string, operation = 'word.say'): Promise<{ id: string; child: ChildProcess }> => {
  const file = fileURLToPath(new URL('./responder.ts', import.meta.url))
  const child = spawn(process.execPath, [...SOURCE_ARGS, file, nats.url, name, operation], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const id = await new Promise<string>((resolve) => child.stdout?.once('data', (line) => resolve(String(line).trim())))
  return { id, child }
}
const say = async (name: string, ms: number, options: SendOptions = {}) => {
  const began = performance.now()
  const result = await sendRequest(caller, `rpc.${name}.word.say`, String(ms), envelope, options).then(
    ({ bytes }) => new TextDecoder().decode(bytes),
    (error) => `${error.code} ${error.extras.cause?.why}`,
  )
  return { result, ms: performance.now() - began }
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const end = async (child: ChildProcess): Promise<void> => {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

test('a fast request costs two messages, and a slow one three', async () => {
  await startResponder('quick')
  const subjects: string[] = []
  const all = monitor.subscribe('>', { callback: (_error, message) => void subjects.push(message.subject) })
  await monitor.flush()
  const count = async (ms: number) => {
    subjects.length = 0
    await say('quick', ms)
    await monitor.flush()
    return subjects.length
  }
  expect(await count(0)).toBe(2)
  expect(await count(450)).toBe(3)
  all.unsubscribe()
})

test.each([
  ['alone', {}],
  ['in a request batch', { together: true }],
])('the only responder ends while it works: the request fails soon, %s', async (_name, options) => {
  const { child } = await startResponder('only')
  const requests = [1, 2].map(() => say('only', 60_000, options))
  await pause(600)
  await end(child)
  for (const { result, ms } of await Promise.all(requests)) {
    expect(result).toBe('unavailable gone')
    expect(ms).toBeLessThan(SOON_MS)
  }
})

test('a request fails soon when the only responder ends before it accepted the request', async () => {
  const { child } = await startResponder('abrupt')
  child.kill('SIGSTOP')
  const request = say('abrupt', 0)
  await caller.flush()
  await end(child)
  const { result, ms } = await request
  expect(result).toBe('unavailable gone')
  expect(ms).toBeLessThan(SOON_MS)
})

test('when one of two responders ends, its requests fail soon, and the others succeed', async () => {
  const [one, two] = [await startResponder('pair'), await startResponder('pair')]
  const requests = Array.from({ length: 12 }, () => say('pair', 3_000))
  await pause(600)
  await end(one.child)
  const outcomes = await Promise.all(requests)
  expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(['unavailable gone', two.id]))
})

test.each([
  ['read', true],
  ['write', false],
])(
  'when one of two responders hangs, its %s is lost, and later requests go to the other one',
  async (name, repeatable) => {
    const service = `hangs-${name}`
    const [one, two] = [await startResponder(service), await startResponder(service)]
    one.child.kill('SIGSTOP')
    const first = await Promise.all(Array.from({ length: 12 }, () => say(service, 0, { repeatable })))
    expect(new Set(first.map(({ result }) => result))).toEqual(new Set(['unavailable silent', two.id]))
    for (const { ms } of first) expect(ms).toBeLessThan(SOON_MS)
    const later = await Promise.all(Array.from({ length: 40 }, () => say(service, 0, { repeatable })))
    expect(new Set(later.map(({ result }) => result))).toEqual(new Set([two.id]))
  },
)

test('a write is answered when its responder continues after a pause of three seconds', async () => {
  const [one, two] = [await startResponder('pause'), await startResponder('pause')]
  one.child.kill('SIGSTOP')
  const requests = Array.from({ length: 12 }, () => say('pause', 0, { repeatable: false }))
  await pause(3_000)
  one.child.kill('SIGCONT')
  const outcomes = await Promise.all(requests)
  expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set([one.id, two.id]))
})

test('a responder that hangs while it works on a request loses it', async () => {
  const [one, two] = [await startResponder('midway'), await startResponder('midway')]
  const requests = Array.from({ length: 12 }, () => say('midway', 4_000, { repeatable: true }))
  await pause(600)
  one.child.kill('SIGSTOP')
  const outcomes = await Promise.all(requests)
  expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(['unavailable silent', two.id]))
})

test('a slow request succeeds although one of the other responders ends', async () => {
  const all = [await startResponder('slow'), await startResponder('slow'), await startResponder('slow')]
  const requests = Array.from({ length: 30 }, () => say('slow', 4_000, { repeatable: true }))
  await pause(1_000)
  await end(all[0]?.child as ChildProcess)
  const answered = (await Promise.all(requests)).filter(({ result }) => result !== 'unavailable gone')
  expect(new Set(answered.map(({ result }) => result))).toEqual(new Set([all[1]?.id, all[2]?.id]))
})

test('each part of a response is a sign of life of its responder', async () => {
  const subject = 'rpc.trickles.word.say'
  const words = ['one ', 'two ', 'three ', 'four ', 'five ']
  // The only responder sends no acceptance. It needs longer than a lost read, with a part before each deadline.
  const answer = async (message: Msg): Promise<void> => {
    const first = headers()
    first.set('Parts', String(words.length))
    first.set('Meta', JSON.stringify({ status: 200, headers: {}, next: null, prev: null, code: null }))
    for (const [at, word] of words.entries()) {
      await pause(400)
      message.respond(word, at === 0 ? { headers: first } : undefined)
    }
  }
  const served = monitor.subscribe(subject, { callback: (_error, message) => void answer(message) })
  // Another responder of the operation is listed, so that a silent request would be lost.
  const listed = monitor.subscribe('$SRV.INFO.murmuration-trickles', {
    callback: (_error, message) => void message.respond(JSON.stringify({ id: 'other', endpoints: [{ subject }] })),
  })
  await monitor.flush()
  const { result, ms } = await say('trickles', 0, { repeatable: true })
  served.unsubscribe()
  listed.unsubscribe()
  expect(result).toBe(words.join(''))
  expect(ms).toBeGreaterThan(1_500)
})

test('a responder that stops in order finishes a slow request', async () => {
  const { id, child } = await startResponder('drains')
  const request = say('drains', 3_000)
  await pause(600)
  child.kill('SIGTERM')
  expect((await request).result).toBe(id)
})

test('requests to the only responder succeed after it was suspended for a while', async () => {
  const { id, child } = await startResponder('pauses')
  // A process in another role of the service, which serves other operations.
  await startResponder('pauses', 'word.hear')
  child.kill('SIGSTOP')
  const request = say('pauses', 0)
  await pause(5_000)
  child.kill('SIGCONT')
  expect((await request).result).toBe(id)
})
