/** Streaming is killed with 1,000 connections: clients reconnect, get only their own events, and miss no status in home timelines. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Product } from '@murmuration/testkit'
import { freePort } from '@murmuration/testkit'
import { openStream, type StreamingClient } from '@murmuration/testkit/ws/streaming-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, startWhole, type TestUser } from '../product.js'

const TABLE = {
  web: ['gateway'],
  live: ['streaming'],
  core: ['accounts', 'statuses', 'notifications', 'admin'],
  work: ['federation', 'media'],
}
const EACH = 250

let product: Product
let port = 0
let alice: TestUser
let followers: TestUser[]
let other: TestUser
beforeAll(async () => {
  port = await freePort()
  const env = { STREAMING_PORT: String(port), STREAMING_MAX_PER_ACCOUNT: String(EACH) }
  product = await startWhole({ table: TABLE, revive: true, env })
  alice = await createUser(product, 'alice')
  followers = [await createUser(product, 'bob'), await createUser(product, 'carol'), await createUser(product, 'dave')]
  other = await createUser(product, 'eve')
  await Promise.all(followers.map(({ api }) => api.v1.accounts.$select(alice.id).follow()))
  await product.waitForIdle()
})
afterAll(() => product?.stop())

const connect = (user: TestUser) =>
  openStream(`http://127.0.0.1:${port}/api/v1/streaming`, { token: user.token, query: { stream: 'user' } })

/** Connects, and retries after a random delay, as clients do. */
const reconnect = async (user: TestUser): Promise<StreamingClient> => {
  for (let tries = 1; ; tries++) {
    const stream = await connect(user).catch(() => null)
    if (stream) return stream
    if (tries === 200) throw new Error('streaming did not come back')
    await pause(250 + Math.random() * 1_000)
  }
}
const connectAll = (open: (user: TestUser) => Promise<StreamingClient>) =>
  Promise.all(
    [...followers, other].flatMap((user) =>
      Array.from({ length: EACH }, async () => ({ person: user, stream: await open(user) })),
    ),
  )
const post = async (text: string) => (await alice.api.v1.statuses.create({ status: text })).id

test('F009 1,000 clients reconnect, each gets its own events, and home has the statuses posted in between', async () => {
  const before = await connectAll(reconnect)
  await product.processes.get('live')?.kill('SIGKILL')
  await Promise.all(before.map(({ stream }) => stream.closed))
  const missed: string[] = []
  for (let n = 0; n < 5; n++) missed.push(await post(`in between ${n}`))

  const after = await connectAll(reconnect)
  await product.waitForIdle()
  await Promise.all(after.map(({ stream }) => stream.settled()))
  const heard = await post('for all who are back')
  const own = after.filter(({ person: user }) => user !== other)
  await Promise.all(
    own.map(async ({ stream }) => {
      for (let id = ''; id !== heard; ) id = (await stream.next<{ id: string }>('update', 120_000)).payload.id
    }),
  )
  for (const { person: user, stream } of after) {
    const ids = stream.events.all
      .filter(({ event }) => event === 'update')
      .map(({ payload }) => (payload as { id: string }).id)
    expect(ids.filter((id) => id !== heard && !missed.includes(id))).toEqual([])
    expect(ids.filter((id) => id === heard)).toHaveLength(user === other ? 0 : 1)
  }
  for (const { api } of followers) {
    const home = (await api.v1.timelines.home.list({ limit: 40 })).map(({ id }) => id)
    expect(home.filter((id) => missed.includes(id) || id === heard)).toHaveLength(missed.length + 1)
  }
  await Promise.all(after.map(({ stream }) => stream.close()))
})
