/** SIGTERM of an edge process under load: no persistent connection is reset, and requests and streams end cleanly. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Product } from '@murmuration/testkit'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, startWhole, type TestUser } from '../product.js'

const TABLE = {
  edge: ['gateway', 'streaming'],
  core: ['accounts', 'statuses', 'notifications', 'admin', 'federation', 'media'],
}

let product: Product
let alice: TestUser
beforeAll(async () => {
  product = await startWhole({ table: TABLE, revive: true, env: { STOP_DELAY_SECONDS: '3' } })
  alice = await createUser(product, 'alice')
})
afterAll(() => product?.stop())

const codeOf = (error: unknown): string => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code ?? String(error)
}

/** Sends requests over 16 persistent connections at a time until `stop` is called. */
const hammer = (origin: string) => {
  const pool = new Pool(origin, { connections: 16, pipelining: 1, keepAliveTimeout: 60_000 })
  const results = new Map<string, number>()
  const count = (what: string) => results.set(what, (results.get(what) ?? 0) + 1)
  const body = JSON.stringify({ client_name: 'hammer', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' })
  let stopped = false
  let closes = 0
  const run = async () => {
    while (!stopped)
      try {
        const {
          statusCode,
          headers,
          body: response,
        } = await pool.request({
          method: 'POST',
          path: '/api/v1/apps',
          headers: { 'content-type': 'application/json' },
          body,
        })
        await response.dump()
        if (headers.connection === 'close') closes++
        count(String(statusCode))
      } catch (error) {
        count(codeOf(error))
      }
  }
  const runs = Promise.all(Array.from({ length: 16 }, run))
  return {
    results,
    closes: () => closes,
    async stop() {
      stopped = true
      await runs
      await pool.destroy()
    },
  }
}

test('posts over persistent connections get no reset while their gateway stops', async () => {
  const edge = product.processes.get('edge')!
  const load = hammer(product.origin)
  await expect.poll(() => load.results.get('200') ?? 0).toBeGreaterThan(200)
  expect(load.closes()).toBe(0)

  const events = await fetch(`${product.origin}/api/v1/streaming/user`, {
    headers: { authorization: `Bearer ${alice.token}` },
  })
  const stream = events.text()
  await alice.api.v1.statuses.create({ status: 'seen before the stop' })
  await pause(1_000)

  const before = load.results.get('200') ?? 0
  const gone = edge.kill('SIGTERM')
  const ready = () => fetch(`http://127.0.0.1:${edge.healthPort}/readyz`).then((response) => response.status)
  await expect.poll(() => ready().catch(() => 0), { interval: 20 }).toBe(503)
  const health = await fetch(`http://127.0.0.1:${edge.healthPort}/readyz`)
  expect([health.status, health.headers.get('connection')]).toEqual([503, 'close'])
  // Kubernetes removes the pod from its endpoints at about this time. New connections use other pods a little later.
  await pause(2_000)
  expect((load.results.get('200') ?? 0) - before).toBeGreaterThan(50)
  expect(load.closes()).toBeGreaterThan(50)
  await load.stop()
  await gone
  expect([...load.results.keys()]).toEqual(['200'])
  // The stream ends with the end of its response, after the last event with its position.
  expect(await stream).toMatch(/\nid: \d+\nevent: update\n.*seen before the stop/)
})

test('a connection that was idle during the whole stop serves a last request until the process ends', async () => {
  await product.ready()
  const edge = product.processes.get('edge')!
  const idle = new Pool(product.origin, { connections: 4, keepAliveTimeout: 60_000 })
  const sendRequest = async () => {
    const { headers, body } = await idle.request({ method: 'GET', path: '/api/v2/instance' })
    await body.dump()
    return headers.connection
  }
  expect(await Promise.all([sendRequest(), sendRequest(), sendRequest(), sendRequest()])).toEqual(
    Array(4).fill('keep-alive'),
  )
  const gone = edge.kill('SIGTERM')
  await pause(2_800)
  expect(await sendRequest()).toBe('close')
  await gone
  await expect(sendRequest()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await idle.destroy()
})
