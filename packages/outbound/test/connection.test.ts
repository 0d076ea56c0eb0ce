/** Connections: kept and reused without new lookups, bounded per host, given up in time, closed at the end. */

import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { get, type Harness, openHarness, refusal } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())

test('a kept connection is used again without asking for the name again', async () => {
  harness.names.set('kept.example', { addresses: ['127.77.0.1'], ttl: 1 })
  const remote = await harness.remote((request, response) => {
    request.resume().on('end', () => response.writeHead(202).end())
  })
  let now = 0
  const client = harness.client({ clock: { now: () => now } })
  const send = () =>
    client.request({ ...get(`http://kept.example:${remote.port}/inbox`), method: 'POST', body: Buffer.from('{}') })
  await send()
  now += 100_000
  await send()
  await send()
  expect(remote.sockets.opened).toBe(1)
  expect(harness.nameServer.questions.get('kept.example')).toBe(1)
  expect(remote.seen).toEqual(Array(3).fill('POST /inbox'))
})

test('D061 no more connections to one host than allowed, and the rest wait', async () => {
  let running = 0
  let max = 0
  const remote = await harness.remote((_request, response) => {
    running += 1
    max = Math.max(max, running)
    setTimeout(() => {
      running -= 1
      response.end()
    }, 20)
  })
  const client = harness.client({ maxConnectionsPerHost: 2 })
  await Promise.all(Array.from({ length: 10 }, () => client.request(get(`${remote.origin}/`))))
  expect(max).toBe(2)
  expect(remote.sockets.opened).toBe(2)
})

test('D061 the deadline also ends a request that waits for a slot', async () => {
  const slow = await harness.remote(() => {})
  const quick = await harness.remote((_request, response) => response.end('ok'))
  const client = harness.client({ maxInFlight: 2 })
  const blocked = Array.from({ length: 3 }, () => refusal(client.request(get(`${slow.origin}/`, { timeoutMs: 300 }))))
  const waiting = client.request(get(`${quick.origin}/`, { timeoutMs: 5_000 }))
  expect((await Promise.all(blocked)).map((error) => error.code)).toEqual(['timeout', 'timeout', 'timeout'])
  expect((await waiting).body.toString()).toBe('ok')
})

test('hostile 14 a host that never answers takes a part of the places, and others are asked at once', async () => {
  const silent = await harness.remote(() => {})
  const quick = await harness.remote((_request, response) => response.end('ok'))
  const client = harness.client({ maxInFlight: 16, maxConnectionsPerHost: 1 })
  const lost = Array.from({ length: 40 }, () => refusal(client.request(get(`${silent.origin}/`, { timeoutMs: 4_000 }))))
  const answers = Array.from({ length: 5 }, () => client.request(get(`${quick.origin}/`, { timeoutMs: 2_000 })))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(5).fill(200))
  expect(new Set((await Promise.all(lost)).map((error) => error.code))).toEqual(new Set(['timeout']))
  // Its places are free again.
  const later = Array.from({ length: 20 }, () => client.request(get(`${quick.origin}/`, { timeoutMs: 2_000 })))
  expect(await Promise.all(later)).toHaveLength(20)
})

test('a request that gave up while queued spares the connection in use', async () => {
  const remote = await harness.remote((request, response) => {
    setTimeout(() => response.end(request.url), request.url === '/slow' ? 300 : 0)
  })
  const client = harness.client({ maxConnectionsPerHost: 1 })
  const first = client.request(get(`${remote.origin}/slow`))
  const second = refusal(client.request(get(`${remote.origin}/given-up`, { timeoutMs: 100 })))
  expect((await second).code).toBe('timeout')
  expect((await first).body.toString()).toBe('/slow')
  expect((await client.request(get(`${remote.origin}/third`))).body.toString()).toBe('/third')
  expect(remote.sockets.opened).toBe(1)
  expect(remote.seen).toEqual(['GET /slow', 'GET /third'])
})

test('a refused connection is a retryable connect error', async () => {
  const remote = await harness.raw(() => {})
  const client = harness.client()
  const error = await refusal(client.request(get(`http://127.77.0.99:${remote.port}/`)))
  expect(error).toMatchObject({ code: 'connect', retryable: true })
})

test('of several addresses the next is tried when one does not answer', async () => {
  const remote = await harness.remote((_request, response) => response.end('second'))
  harness.names.set('two.example', { addresses: ['127.77.0.98', '127.77.0.1'] })
  const answer = await harness.client().request(get(`http://two.example:${remote.port}/`))
  expect(answer.body.toString()).toBe('second')
})

test.each(['nxdomain', 'servfail'] as const)('F051 a name with %s is a dns error', async (reply) => {
  harness.names.set('gone.example', reply)
  expect((await refusal(harness.client().request(get('http://gone.example/')))).code).toBe('dns')
})

test('F051 a silent name server costs one request 5 s and other hosts nothing', async () => {
  harness.names.set('mute.example', 'silent')
  harness.names.set('fine.example', { addresses: ['127.77.0.1'] })
  const remote = await harness.remote((_request, response) => response.end('ok'))
  const client = harness.client()
  let over = false
  const mute = refusal(client.request(get('http://mute.example/', { timeoutMs: 60_000 }))).finally(() => {
    over = true
  })
  expect((await client.request(get(`http://fine.example:${remote.port}/`))).status).toBe(200)
  expect(over).toBe(false)
  // Not `timeout`: the name server was given up long before the request would have been.
  expect((await mute).code).toBe('dns')
})

test('F051 of a thousand addresses each is judged, and few are tried', async () => {
  const addresses = Array.from({ length: 1_000 }, (_, i) => `127.77.${200 + (i >> 8)}.${i & 255}`)
  harness.names.set('many.example', { addresses })
  const remote = await harness.raw(() => {})
  const client = harness.client()
  expect((await refusal(client.request(get(`http://many.example:${remote.port}/`)))).code).toBe('connect')
  harness.names.set('mixed.example', { addresses: [...addresses.slice(1), '10.0.0.9'] })
  expect((await refusal(client.request(get(`http://mixed.example:${remote.port}/`)))).code).toBe('forbidden_address')
})

test('close waits for what is running and refuses what comes later', async () => {
  let answer = () => {}
  const remote = await harness.remote((_request, response) => {
    answer = () => response.end('last')
  })
  const client = harness.client()
  const last = client.request(get(`${remote.origin}/`))
  await expect.poll(() => remote.seen).toHaveLength(1)
  setTimeout(answer, 100)
  await client.close()
  expect((await last).body.toString()).toBe('last')
  expect((await refusal(client.request(get(`${remote.origin}/`)))).code).toBe('connect')
})

test('close ends after 5 s what will never finish', async () => {
  const remote = await harness.remote(() => {})
  const client = harness.client()
  const endless = refusal(client.request(get(`${remote.origin}/`, { timeoutMs: 60_000 })))
  await expect.poll(() => remote.seen).toHaveLength(1)
  await client.close()
  // Not `timeout`, which a minute would have brought.
  expect((await endless).code).toBe('connect')
})

test('a stream is read at the reader’s pace and within its limit', async () => {
  let sent = 0
  const remote = await harness.remote((_request, response) => {
    const more = () => {
      do sent += 65_536
      while (response.write(Buffer.alloc(65_536)) && sent < 40_000_000)
      if (sent >= 40_000_000) response.off('drain', more).end()
    }
    response.on('drain', more)
    more()
  })
  const { body, status } = await harness.client().stream(get(`${remote.origin}/`, { maxBytes: 50_000_000 }))
  expect(status).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(sent).toBeLessThan(20_000_000)
  let size = 0
  for await (const chunk of body) size += chunk.length
  expect(size).toBeGreaterThanOrEqual(40_000_000)
})

test('a stream ends with too_large at its limit, with timeout at its deadline, also when read late', async () => {
  const endless = await harness.remote((_request, response) => {
    response.write(Buffer.alloc(100_000))
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const client = harness.client()
  const large = await client.stream(get(`${endless.origin}/`, { maxBytes: 100_001 }))
  expect((await refusal(large.body.toArray())).code).toBe('too_large')
  const late = await client.stream(get(`${endless.origin}/`, { timeoutMs: 1_500 }))
  await new Promise((resolve) => setTimeout(resolve, 1_600))
  expect((await refusal(late.body.toArray())).code).toBe('timeout')
})

test('a destroyed stream closes its connection and releases its slot', async () => {
  const closed: Promise<unknown>[] = []
  const remote = await harness.remote((request, response) => {
    closed.push(once(request.socket, 'close'))
    response.write(Buffer.alloc(1_000))
  })
  const client = harness.client({ maxInFlight: 1 })
  const { body } = await client.stream(get(`${remote.origin}/`))
  body.destroy()
  await closed[0]
  const next = await client.stream(get(`${remote.origin}/`))
  next.body.destroy()
  expect(remote.seen).toHaveLength(2)
})

test('A127 a stream that breaks off tells its reader', async () => {
  const bytes = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'
  const remote = await harness.raw((socket) => socket.once('data', () => socket.end(bytes)))
  const { body } = await harness.client().stream(get(`${remote.origin}/`))
  expect((await refusal(body.toArray())).code).toBe('protocol')
})

test('A135 invented hosts and ports stay in no memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const client = harness.client()
  for (let n = 0; n < 50; n++) harness.names.set(`invented-${n}.example`, { addresses: ['127.77.0.9'], ttl: 600 })
  const invent = async (from: number, many: number) => {
    for (let at = from; at < from + many; at += 250)
      await Promise.all(
        Array.from({ length: 250 }, (_, n) =>
          refusal(client.request(get(`http://invented-${n % 50}.example:${10_000 + at + n}/inbox`))),
        ),
      )
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await invent(0, 2_000)
  const after = await invent(2_000, 8_000)
  // Two hundred thousand may cost fifty megabytes.
  expect((after - before) / 1e6).toBeLessThan(2)
})
