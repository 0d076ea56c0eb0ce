/** No acknowledged status is lost while processes are killed at named points, and while the bus and Redis lose their data. */
import { randomUUID } from 'node:crypto'
import type { Product } from '@murmuration/testkit'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, postAs, requestAs, startWhole, type TestUser } from '../product.js'

const TABLE = {
  edge: ['gateway', 'streaming'],
  accounts: ['accounts', 'admin'],
  statuses: ['statuses:api'],
  fanout: ['statuses:reactor,fanout,links'],
  notifications: ['notifications'],
  federation: ['federation', 'media'],
}
let product: Product
let author: TestUser
let followers: TestUser[]
const answered: string[] = []

beforeAll(async () => {
  product = await startWhole({ table: TABLE, revive: true })
  author = await createUser(product, 'author')
  followers = await Promise.all(['f1', 'f2', 'f3'].map((name) => createUser(product, name)))
  await Promise.all(followers.map((one) => one.api.v1.accounts.$select(author.id).follow()))
  await product.waitForIdle()
})
afterAll(() => product?.stop())

/** Posts with an idempotency key, and retries with the same key until the post succeeds, as apps do. */
const post = async (text: string): Promise<string> => {
  const key = randomUUID()
  // A killed process needs up to two minutes to start again on a busy machine.
  for (const end = Date.now() + 550_000; Date.now() < end; ) {
    const answer = await postAs(product, author, { status: text }, key).catch(() => null)
    if (answer?.status === 200) return ((await answer.json()) as { id: string }).id
    if (answer && answer.status < 500) throw new Error(`${answer.status} ${await answer.text()}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('never answered')
}

const homeOf = async (user: TestUser): Promise<string[]> => {
  const ids: string[] = []
  for (let max = ''; ; ) {
    const answer = await requestAs(product, user, `/api/v1/timelines/home?limit=40${max}`)
    const page = (await answer.json()) as { id: string }[]
    if (!Array.isArray(page) || page.length === 0) return ids
    ids.push(...page.map((one) => one.id))
    max = `&max_id=${ids.at(-1)}`
  }
}

const mentionsOf = async (user: TestUser): Promise<string[]> => {
  const answer = await requestAs(product, user, '/api/v1/notifications?types[]=mention&limit=80')
  return ((await answer.json()) as { status: { id: string } }[]).map((one) => one.status.id)
}

/** Asserts that every acknowledged status is readable, once in each follower's home, in order, with one notification per mention. */
const whole = async (mentioned: string[]): Promise<void> => {
  await product.ready()
  await product.waitForIdle()
  const wanted = [...answered].sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
  for (const follower of followers)
    expect((await homeOf(follower)).filter((id) => answered.includes(id))).toEqual(wanted)
  const found = await fetch(
    `${product.origin}/api/v1/statuses?${answered
      .slice(-20)
      .map((id) => `id[]=${id}`)
      .join('&')}`,
    { headers: { authorization: `Bearer ${author.token}` } },
  )
  expect(((await found.json()) as unknown[]).length).toBe(Math.min(20, answered.length))
  const notified = (await mentionsOf(followers[0] as TestUser)).filter((id) => mentioned.includes(id))
  expect([...notified].sort()).toEqual([...mentioned].sort())
}

test.each([
  ['F004', 'statuses', 'statuses.afterCommit=exit@2'],
  ['F005', 'statuses', 'statuses.beforeCommit=exit@2'],
  ['F001', 'statuses', 'statuses.beforeReply=exit@2'],
  ['F010', 'statuses', 'relay.afterPubAck=exit@2'],
  ['I2', 'fanout', 'fanout.batch=exit@2'],
  ['I2', 'fanout', 'consumer.afterEffect=exit@2'],
  ['I4', 'notifications', 'consumer.afterEffect=exit@2'],
  ['I4', 'notifications', 'notifications.afterCommit=exit@2'],
  ['F002', 'accounts', 'accounts.beforeReply=exit@5'],
])('%s SIGKILL of %s at %s while people post', async (_row, name, fault) => {
  await product.restart(name, { FAULT_POINTS: fault })
  const faulty = product.processes.get(name)?.pid
  const mentioned: string[] = []
  for (let n = 0; n < 4; n++) {
    const id = await post(`number ${n} at ${fault} for @f1`)
    mentioned.push(id)
    answered.push(id)
  }
  await expect.poll(() => product.processes.get(name)?.pid).not.toBe(faulty)
  await whole(mentioned)
})

test('F030 after Redis lost its data, every home timeline is complete again', async () => {
  const redis = createClient({ url: product.env.REDIS_URL })
  await redis.connect()
  await redis.flushDb()
  await redis.close()
  answered.push(await post('after the wipe'))
  await whole([])
})

test('F015 after the bus lost its data, all services recover without intervention', async () => {
  await product.nats.kill({ wipe: true })
  await product.nats.start()
  answered.push(await post('after the bus came back'))
  await whole([])
})
