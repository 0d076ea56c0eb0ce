/** Deliveries to servers that never respond, and of activities to which a server never responds: other deliveries are not delayed. */
import { createServer, type Socket } from 'node:net'
import { type AccountRecord, blockCreated, blockRemoved } from '@murmuration/contracts/accounts'
import { deliveryState, explainDelivery } from '@murmuration/contracts/federation'
import { sql } from '@murmuration/db'
import { startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { serve } from '@murmuration/testkit/outside/web-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { markAlive } from '../src/delivery/host-queue.store.js'
import { createSteps, hour, type Steps, second, WAITS } from './delivery-steps.js'
import {
  announceEdited,
  createAccount,
  posted,
  remoteAccount,
  type SiblingServices,
  startSiblingServices,
} from './sibling-services.js'

let harness: SiblingServices
let steps: Steps
let ada: AccountRecord
let bob: AccountRecord

beforeAll(async () => {
  // Longer than a local response takes on a busy machine.
  harness = await startSiblingServices({ DELIVERY_TIMEOUT_MS: '5000' })
  steps = createSteps(harness)
})
afterAll(() => harness.stop())

const counts = async (uri: string) =>
  Object.fromEntries(
    Object.entries((await harness.call(explainDelivery, { activity: uri })).activities[0]?.counts ?? {}).filter(
      ([, n]) => n > 0,
    ),
  )

describe('an activity that always times out', () => {
  let origin: string
  let poison: string
  let taken: string[]
  let asked: number
  let close: () => Promise<void>

  beforeEach(async () => {
    poison = ''
    taken = []
    asked = 0
    const picky = await serve((request) => {
      const { id } = JSON.parse(request.body.toString()) as { id: string }
      if (id === poison) {
        asked++
        return undefined
      }
      taken.push(id)
      return { status: 202 }
    })
    close = picky.close
    origin = picky.origin
    ada = await createAccount(harness, 'ada')
    bob = await createAccount(harness, 'bob')
    for (const one of [ada, bob]) harness.tables.inboxes.set(one.id, [`${origin}/inbox`])
  })

  afterEach(async () => {
    await harness.db('federation').run(sql`update deliveries set state = 3 where state = 0`)
    await close()
  })

  /** A status of ada that always times out, after its first attempt. */
  const unanswered = async () => {
    const first = await posted(harness, bob)
    await steps.waitForIdle()
    const bad = await posted(harness, ada)
    poison = `${bad.uri}/activity`
    await expect.poll(() => asked).toBe(1)
    return { first, bad }
  }

  test('delays neither its author nor others', async () => {
    const { first, bad } = await unanswered()
    const his = await posted(harness, bob)
    await expect.poll(() => taken).toContain(`${his.uri}/activity`)
    const hers = [await posted(harness, ada), await posted(harness, ada)]
    await steps.waitForIdle()
    expect(taken).toEqual([first, his, ...hers].map((one) => `${one.uri}/activity`))
    expect(await counts(bad.uri)).toEqual({ pending: 1 })
  })

  test('is retried by its own schedule, and meanwhile the others arrive', async () => {
    const { bad } = await unanswered()
    await steps.waitForIdle()
    for (const wait of WAITS) {
      const before = asked
      steps.later(wait * second)
      await expect.poll(() => asked).toBe(before + 1)
      const [hers, his] = [await posted(harness, ada), await posted(harness, bob)]
      await expect.poll(() => taken).toContain(`${hers.uri}/activity`)
      await expect.poll(() => taken).toContain(`${his.uri}/activity`)
      await steps.waitForIdle()
    }
    expect(await counts(bad.uri)).toEqual({ pending: 1 })
    poison = ''
    steps.later(6 * hour)
    await steps.waitForIdle()
    expect(await counts(bad.uri)).toEqual({ delivered: 1 })
  })

  test('is not retried when a server that accepts others sends a valid request', async () => {
    await unanswered()
    await steps.waitForIdle()
    await posted(harness, bob)
    await steps.waitForIdle()
    steps.later(20 * second)
    await expect.poll(() => asked).toBe(2)
    await steps.waitForRelease()
    await markAlive(harness.db('federation'), new URL(origin).host, harness.ours.clock.date())
    await steps.waitForIdle()
    expect(asked).toBe(2)
  })

  test('delays the next relationship change with the account of an Undo, although it is queued before the time-out', async () => {
    await posted(harness, bob)
    await steps.waitForIdle()
    const rita = remoteAccount(harness, { name: 'rita', id: `${origin}/users/rita`, inbox: `${origin}/inbox` })
    const block = () => ({
      id: harness.nextId(),
      from: ada.id,
      to: rita.id,
      fromLocal: true,
      toLocal: false,
      uri: null,
    })
    const [first, next] = [block(), block()]
    const idOf = (it: typeof first) => `${ada.uri}#blocks/${it.id}`
    poison = `${idOf(first)}/undo`
    await harness.announce(blockCreated, first)
    await steps.waitForIdle()
    await harness.announce(blockRemoved, first)
    await expect.poll(() => asked).toBe(1)
    await harness.announce(blockCreated, next)
    await steps.waitForIdle()
    expect(taken.slice(1)).toEqual([idOf(first)])
    poison = ''
    steps.later(20 * second)
    await steps.waitForIdle()
    expect(taken.slice(1)).toEqual([idOf(first), `${idOf(first)}/undo`, idOf(next)])
  })

  test('delays activities about the same object', async () => {
    const { bad } = await unanswered()
    await steps.waitForIdle()
    await announceEdited(harness, bad)
    const hers = await posted(harness, ada)
    await steps.waitForIdle()
    expect(taken.at(-1)).toBe(`${hers.uri}/activity`)
    const before = taken.length
    poison = ''
    steps.later(80 * second)
    await steps.waitForIdle()
    expect(taken.slice(before)).toHaveLength(2)
    expect(taken[before]).toBe(`${bad.uri}/activity`)
  })
})

test('F044 servers that never respond do not delay others', async () => {
  const remote = await startRemoteServer()
  const [ada, bob] = [await createAccount(harness, 'ada'), await createAccount(harness, 'bob')]
  const sockets = new Set<Socket>()
  const open = new Map<string, number>()
  const max = new Map<string, number>()
  const hung = createServer((socket: Socket) => {
    const at = socket.localAddress ?? ''
    open.set(at, (open.get(at) ?? 0) + 1)
    max.set(at, Math.max(max.get(at) ?? 0, open.get(at) ?? 0))
    // The server must read to notice that the client closed the connection.
    socket.resume()
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.set(at, (open.get(at) ?? 1) - 1))
  })
  await new Promise<void>((ready) => hung.listen(0, '0.0.0.0', ready))
  const { port } = hung.address() as { port: number }
  const dead = Array.from({ length: 40 }, (_, i) => `http://127.9.0.${i + 1}:${port}/inbox`)
  for (const one of [ada, bob]) harness.tables.inboxes.set(one.id, [...dead, `${remote.origin}/inbox`])
  const began = harness.ours.clock.now()
  // Each arrives before the next is posted. One after the other the dead servers would cost a minute every time.
  for (let n = 0; n < 12; n++) {
    await posted(harness, n % 2 ? ada : bob)
    await remote.inbox.reached(n + 1)
  }
  const deadHost = async () => (await harness.call(deliveryState, { host: `127.9.0.1:${port}` })).hosts
  await expect.poll(deadHost).toMatchObject([{ waiting: 12, trouble: 'timeout' }])
  const hosts = await deadHost()
  expect(Math.max(...max.values())).toBeLessThanOrEqual(2)
  // A busy machine may read the pause after its end.
  expect(Date.parse(hosts[0]?.paused_until ?? '')).toBeGreaterThan(began)
  await harness.db('federation').run(sql`update deliveries set state = 3 where state = 0`)
  for (const socket of sockets) socket.destroy()
  await Promise.all([remote.close(), new Promise((done) => hung.close(done))])
})
