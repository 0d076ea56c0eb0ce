/** Lost and silent connections under load: PostgreSQL ends every session, and the bus does not respond to one process. */
import { randomUUID } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, type Product } from '@murmuration/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, postAs, requestAs, startWhole, type TestUser } from '../product.js'

const TABLE = {
  edge: ['gateway', 'streaming'],
  accounts1: ['accounts', 'admin'],
  accounts2: ['accounts', 'media'],
  statuses: ['statuses', 'notifications', 'federation'],
}

interface Wire {
  readonly port: number
  /** True: holds all data back without closing connections, like a cut cable. */
  hold(silent: boolean): void
  close(): void
}

/** A TCP proxy to a port of this machine that can hold all data back. */
const openWire = async (to: number): Promise<Wire> => {
  const sockets = new Set<Socket>()
  let silent = false
  const pass = (from: Socket, other: Socket) => {
    sockets.add(from)
    from.on('data', (chunk) => other.write(chunk))
    from.on('close', () => other.destroy())
    from.on('error', () => undefined)
    if (silent) from.pause()
  }
  const server: Server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    pass(near, far)
    pass(far, near)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  return {
    port,
    hold(wanted) {
      silent = wanted
      for (const socket of sockets) {
        if (silent) socket.pause()
        else socket.resume()
      }
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

let product: Product
let alice: TestUser
beforeAll(async () => {
  product = await startWhole({ table: TABLE })
  alice = await createUser(product, 'alice')
  await product.waitForIdle()
})
afterAll(() => product?.stop())

const request = (path: string, init?: RequestInit) => requestAs(product, alice, path, init)
const post = (text: string, key?: string) => postAs(product, alice, { status: text }, key)
const ready = async (name: string) =>
  (await fetch(`http://127.0.0.1:${product.processes.get(name)?.healthPort}/readyz`).catch(() => null))?.status === 200

test('F034 F035 F042 PostgreSQL ends all sessions repeatedly under load: every acknowledged status exists once', async () => {
  const admin = new pg.Client({ connectionString: product.env.DATABASE_URL })
  await admin.connect()
  const answered = new Map<string, string>()
  let going = true
  const posting = Promise.all(
    Array.from({ length: 4 }, async (_, who) => {
      for (let n = 0; going; n++) {
        const [text, key] = [`through it all ${who} ${n}`, randomUUID()]
        for (let tries = 0; tries < 40; tries++) {
          const answer = await post(text, key)
          const body = (await answer.json()) as { id?: string }
          if (answer.status === 200) {
            answered.set(text, body.id ?? '')
            break
          }
          // The refusal is JSON, without internal details.
          expect([500, 503, 504]).toContain(answer.status)
          expect(JSON.stringify(body)).not.toMatch(/postgres|terminat|pool/i)
          await pause(100)
        }
      }
    }),
  )
  // At least five times, and until five posts were acknowledged.
  for (let round = 0; round < 5 || answered.size < 5; round++) {
    await pause(1_000)
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  }
  await pause(1_000)
  going = false
  await posting
  await admin.end()
  await product.ready()
  await product.waitForIdle()
  const seen: { id: string; content: string }[] = []
  for (let max = ''; ; ) {
    const page = (await (await request(`/api/v1/accounts/${alice.id}/statuses?limit=40${max}`)).json()) as typeof seen
    if (page.length === 0) break
    seen.push(...page)
    max = `&max_id=${page.at(-1)?.id}`
  }
  for (const [text, id] of answered)
    expect(seen.filter((one) => one.content === `<p>${text}</p>`).map((one) => one.id)).toEqual([id])
  expect([...product.processes.values()].map((one) => one.starts)).toEqual([1, 1, 1, 1])
})

test('F019 a process without responses of the bus reports that it is not ready, others do its work, and it recovers', async () => {
  const bus = new URL(product.nats.url)
  const wire = await openWire(Number(bus.port))
  bus.port = String(wire.port)
  await product.restart('accounts2', { NATS_URL: bus.toString() }, 'SIGTERM')
  expect((await request('/api/v1/accounts/verify_credentials')).status).toBe(200)
  wire.hold(true)
  // At most two ping intervals of 20 seconds. The health check of the process notices it earlier.
  await expect.poll(() => ready('accounts2'), { interval: 200 }).toBe(false)
  const works = async () => (await request('/api/v1/accounts/verify_credentials')).status
  // NATS drops a client that does not answer pings. From then on all requests go to the other process.
  await expect
    .poll(async () => (await Promise.all(Array.from({ length: 6 }, works))).every((one) => one === 200), {
      interval: 1_000,
    })
    .toBe(true)
  wire.hold(false)
  await product.ready()
  expect((await post('back together')).status).toBe(200)
  // Reconnects the process without the proxy.
  await product.restart('accounts2', {}, 'SIGTERM')
  wire.close()
})
