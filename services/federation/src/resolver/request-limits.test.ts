/** Rate limits of requests to other servers. */
import { createHash } from 'node:crypto'
import type { Redis } from '@murmuration/cache'
import { createMemoryCache } from '@murmuration/flow'
import { expect, test } from 'vitest'
import { createRequestLimits, type RequestReason } from './request-limits.js'

test('hostile 107 ten new hosts below one domain are allowed per minute, and any number below different domains', async () => {
  let now = 0
  const redis = { withFallback: async (_work: unknown, otherwise: unknown) => otherwise } as unknown as Redis
  const local = createMemoryCache<number>({ max: 1_000, ttlMs: 60_000, now: () => now })
  const { mayRequestNewHost } = createRequestLimits({ redis, prefix: 'test', now: () => now, local })
  const meet = async (names: string[]) =>
    (await Promise.all(names.map((name) => mayRequestNewHost(name)))).filter(Boolean).length
  const farm = Array.from({ length: 30 }, (_, i) => `a${i}.farm.example`)
  expect(await meet(farm)).toBe(10)
  expect(await meet(Array.from({ length: 30 }, (_, i) => `one${i}.example`))).toBe(30)
  now += 60_000
  expect(await meet(farm)).toBe(10)
})

/** Rate limits without Redis: counts of this process only. */
const alone = () => {
  const time = { now: 0 }
  const redis = { withFallback: async (_work: unknown, otherwise: unknown) => otherwise } as unknown as Redis
  const now = () => time.now
  const local = createMemoryCache<number>({ max: 10_000, ttlMs: 700_000, now })
  return { time, ...createRequestLimits({ redis, prefix: 'test', now, local }) }
}
const granted = async (asked: readonly Promise<boolean>[]) => (await Promise.all(asked)).filter(Boolean).length
const many = <T>(count: number, name: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => name(i))

test('hostile 106 per IP address, 60 readers of one host with any ports and 120 of all hosts are allowed in ten minutes', async () => {
  const { time, mayVerifyReader } = alone()
  const met = (hosts: string[], ip: string) => granted(hosts.map((host) => mayVerifyReader(host, ip)))
  const ports = many(70, (i) => `victim.example:${1_000 + i}`)
  expect(await met(ports, '192.0.2.1')).toBe(60)
  // Addresses of one IPv6 network count as one.
  const house = many(70, (i) => `2001:db8:1:2::${i.toString(16)}`)
  expect(await granted(house.map((ip) => mayVerifyReader('victim.example', ip)))).toBe(60)
  expect(await met(ports, '192.0.2.2'), 'what others used up is not missing here').toBe(60)
  expect(
    await met(
      many(100, (i) => `one${i}.example`),
      '192.0.2.2',
    ),
  ).toBe(50)
  time.now += 60_000
  expect([await met(ports, '192.0.2.1'), await met(ports, '192.0.2.3')]).toEqual([0, 60])
  time.now += 600_000
  expect(await met(ports, '192.0.2.1')).toBe(60)
})

test('hostile 106 of all IP addresses together, 600 readers are allowed per minute', async () => {
  const { time, mayVerifyReader } = alone()
  const met = () => granted(many(700, (i) => `198.51.100.${i}`).map((ip) => mayVerifyReader('victim.example', ip)))
  expect(await met()).toBe(600)
  time.now += 60_000
  expect(await met()).toBe(600)
})

test('hostile 14 19 fetches of keys named by any sender do not use the limit of other requests to the host', async () => {
  const { mayRequest, mayRequestNewHost } = alone()
  const grantedTo = (why: RequestReason) =>
    granted(many(2_400, () => 'victim.example').map((host) => mayRequest(host, why)))
  expect([await grantedTo('signer-key'), await grantedTo('waited-for')]).toEqual([2_000, 300])
  const below = many(200, (i) => `a${i}.farm.example`)
  expect([
    await granted(below.map((host) => mayRequestNewHost(host, 'signer-key'))),
    await granted(below.map((host) => mayRequestNewHost(host))),
  ]).toEqual([100, 10])
})

test('background requests do not use the limit of new hosts of interactive requests', async () => {
  const { time, mayRequestNewHost } = alone()
  const meet = (why: RequestReason) => granted(many(30, (i) => mayRequestNewHost(`a${i}.farm.example`, why)))
  expect([await meet('behind'), await meet('waited-for')]).toEqual([10, 10])
  time.now += 60_000
  expect([await meet('waited-for'), await meet('behind')]).toEqual([10, 10])
})

test('hostile 14 19 a client that names many keys or new hosts does not use the limit of other clients', async () => {
  const { time, mayNameKey } = alone()
  const name = (by: string) => granted(many(1_500, () => mayNameKey(by, 'victim.example', false)))
  expect([await name('192.0.2.1'), await name('evil.example'), await name('192.0.2.1')]).toEqual([1_000, 1_000, 0])
  const invent = (by: string) => granted(many(30, (i) => mayNameKey(by, `${by.length}-${i}.shared.example`, true)))
  expect([await invent('evil.example'), await invent('192.0.2.2')]).toEqual([10, 10])
  time.now += 60_000
  expect([await name('192.0.2.1'), await invent('evil.example')]).toEqual([1_000, 10])
})

test('hostile 14 an IP address may name 120 keys per minute that are unread; keys that were read do not count', async () => {
  const { time, takeUnread } = alone()
  for (let n = 0; n < 300; n++) await (await takeUnread('192.0.2.1'))?.()
  const taken = async (ip: string) => granted(many(130, () => ip).map(async (it) => (await takeUnread(it)) !== null))
  expect([await taken('192.0.2.1'), await taken('::ffff:192.0.2.1'), await taken('2001:db8::1')]).toEqual([120, 0, 120])
  time.now += 60_000
  expect(await taken('192.0.2.1')).toBe(120)
})

test('hostile 14 a key that is read after its minute does not reduce the count of the next minute', async () => {
  const { time, takeUnread } = alone()
  const late = await Promise.all(many(100, () => takeUnread('192.0.2.1')))
  time.now += 60_000
  for (const giveBack of late) await giveBack?.()
  expect(await granted(many(130, async () => (await takeUnread('192.0.2.1')) !== null))).toBe(120)
})

test('delivery 4 an actor whose inbox is gone is fetched again once a day', async () => {
  let now = 0
  const redis = { withFallback: async (_work: unknown, otherwise: unknown) => otherwise } as unknown as Redis
  const local = createMemoryCache<number>({ max: 10, ttlMs: 86_400_000, now: () => now })
  const { mayFetchGoneActor } = createRequestLimits({ redis, prefix: 'test', now: () => now, local })
  const looked = []
  for (; now < 2 * 86_400_000; now += 3_600_000)
    if (await mayFetchGoneActor('https://far.example/ola')) looked.push(now)
  expect(looked).toEqual([0, 86_400_000])
})

test('per owner and hour, 60 activities about collections and 10 look-ups of all members are allowed', async () => {
  let now = 0
  const redis = { withFallback: async (_work: unknown, otherwise: unknown) => otherwise } as unknown as Redis
  const local = createMemoryCache<number>({ max: 1_000, ttlMs: 7_200_000, now: () => now })
  const { mayChangeCollection, mayLookUpMembers } = createRequestLimits({
    redis,
    prefix: 'test',
    now: () => now,
    local,
  })
  const allowed = async (may: (owner: string) => Promise<boolean>, owner: string) =>
    (await Promise.all(Array.from({ length: 100 }, () => may(owner)))).filter(Boolean).length
  expect([await allowed(mayChangeCollection, 'a'), await allowed(mayChangeCollection, 'b')]).toEqual([60, 60])
  expect(await allowed(mayLookUpMembers, 'a')).toBe(10)
  now += 3_600_000
  expect([await allowed(mayChangeCollection, 'a'), await allowed(mayLookUpMembers, 'a')]).toEqual([60, 10])
})

test('per account and hour, 10 approvals of one reply and 600 of unknown replies are allowed', async () => {
  const { mayAcceptUnknownReply } = alone()
  const response = (reply: (i: number) => string) => granted(many(700, (i) => mayAcceptUnknownReply(reply(i), 'rita')))
  expect(await response(() => 'https://far.example/one')).toBe(10)
  expect(await response((i) => `https://far.example/${i}`)).toBe(590)
})

/** A fake Redis with sets and keys that can be made unavailable. */
const unsteady = () => {
  const state = { isAway: false, sets: new Map<string, Set<string>>(), keys: new Set<string>() }
  const client = {
    multi: () => ({
      sAdd(key: string, host: string) {
        const set = state.sets.get(key) ?? new Set()
        state.sets.set(key, set.add(host))
        return { sCard: () => ({ expire: () => ({ execAsPipeline: async () => [1, set.size, 1] }) }) }
      },
    }),
    async set(key: string) {
      if (state.keys.has(key)) return null
      state.keys.add(key)
      return 'OK'
    },
  }
  const withFallback = async (work: (client: unknown) => Promise<unknown>, fallback: unknown) =>
    state.isAway ? fallback : work(client)
  const local = createMemoryCache<number>({ max: 1_000, ttlMs: 60_000, now: () => 0 })
  return {
    state,
    ...createRequestLimits({ redis: { withFallback } as unknown as Redis, prefix: 'test', now: () => 0, local }),
  }
}

test('hostile 107 the limit of new hosts holds while Redis times out, and a repeated host counts once', async () => {
  const { state, mayRequestNewHost, clear } = unsteady()
  const meet = async () => {
    let met = 0
    for (let i = 0; i < 30; i++) {
      state.isAway = i % 2 === 0
      if (await mayRequestNewHost(`a${i}.farm.example`)) met++
    }
    return met
  }
  for (let i = 0; i < 20; i++) expect(await mayRequestNewHost('one.other.example')).toBe(true)
  expect(await meet()).toBe(10)
  state.sets.clear()
  expect(await meet()).toBe(0)
  state.sets.clear()
  clear()
  expect(await meet()).toBe(10)
})

test('a refresh is not allowed again while Redis is unavailable or after it lost its data', async () => {
  const { state, mayRefresh } = unsteady()
  expect(await mayRefresh('https://far.example/key')).toBe(true)
  state.keys.clear()
  expect(await mayRefresh('https://far.example/key')).toBe(false)
  state.isAway = true
  expect(await mayRefresh('https://far.example/key')).toBe(false)
  expect(await mayRefresh('https://far.example/other')).toBe(true)
  expect(await mayRefresh('https://far.example/other')).toBe(false)
})

test('the keys in Redis of renamed limits stay, so that processes of two releases count together', async () => {
  const names = new Set<string>()
  const keys = new Proxy({} as Record<string, () => unknown>, {
    get: (_, name) => (key: unknown) => {
      if (['incrBy', 'sAdd'].includes(String(name))) names.add(String(key).split(':')[1] ?? '')
      return name === 'execAsPipeline' ? Promise.resolve([1, 1]) : keys
    },
  })
  const redis = {
    withFallback: (work: (client: unknown) => unknown) => work({ multi: () => keys }),
  } as unknown as Redis
  const local = createMemoryCache<number>({ max: 10, ttlMs: 60_000, now: () => 0 })
  const limits = createRequestLimits({ redis, prefix: 'test', now: () => 0, local })
  await limits.mayRequest('far.example', 'signer-key')
  await limits.mayRequestNewHost('far.example', 'signer-key')
  await limits.mayChangeCollection('https://far.example/ola')
  await limits.mayLookUpMembers('https://far.example/ola')
  expect([...names]).toEqual(['strange', 'all', 'new-strange', 'told-by', 'looks-for'])
  // The count of all hosts has the name of its limit in the digest.
  const all = createHash('sha256').update('strange').digest('base64url').slice(0, 22)
  expect(local.get(`test:all:${all}:0`)).toBe(1)
})
