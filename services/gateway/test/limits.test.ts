/** Rate limits over HTTP: shared by two gateways, shown in headers, and counted for refused requests, too. */
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHost } from '@murmuration/kernel'
import { beginInWindow, freePort, repository } from '@murmuration/testkit'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app as gateway } from '../src/main.js'
import { type Harness, http, PASSWORD, startHarness, windowStart } from './harness.js'

let harness: Harness
let second: Awaited<ReturnType<typeof startHost>>
let secondOrigin = ''
let alice = ''
let bob = ''
beforeAll(async () => {
  // A longer timeout, because these tests count in Redis also on a busy machine.
  const slowRedis = { REDIS_TIMEOUT_MS: '5000' }
  harness = await startHarness({
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: '1',
    TEST_CLOCK_OFFSET_MS: windowStart(),
    ...slowRedis,
  })
  ;[alice, bob] = [await harness.createAccount('alice'), await harness.createAccount('bob')]
  const port = await freePort()
  secondOrigin = `http://localhost:${port}`
  second = await startHost([{ app: gateway }], { ...harness.env, PORT: String(port) })
})
afterAll(async () => {
  await second.stop()
  await harness.stop()
})

/** Random IP addresses, because counters of earlier runs may still exist. */
const net = `10.${randomInt(256)}.${randomInt(256)}`
const net6 = `2001:db8:${randomInt(65_536).toString(16)}`

/** Request options of a client with this IP address, as a trusted proxy sends it. */
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
const lookup = '/api/v1/accounts/lookup?acct=alice'
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const times = async <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = []
  for (let at = 0; at < count; at += 10)
    done.push(...(await Promise.all(Array.from({ length: Math.min(10, count - at) }, (_, i) => work(at + i)))))
  return done
}

test('D042 A087 300 anonymous requests over two gateways are allowed, including refused ones; the next gets 429', async () => {
  await beginInWindow(5)
  const first = await harness.http(lookup, from(`${net}.1`))
  expect(first.headers.get('x-ratelimit-limit')).toBe('300')
  expect(first.headers.get('x-ratelimit-remaining')).toBe('299')
  expect(first.headers.get('x-ratelimit-reset')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const paths = [lookup, '/api/v1/accounts/lookup?acct=nobody', '/api/v1/timelines/home']
  const codes = await times(299, (i) =>
    statusOf(http(i % 2 ? harness.origin : secondOrigin, paths[i % 3] ?? lookup, from(`${net}.1`))),
  )
  expect(new Set(codes)).toEqual(new Set([200, 404, 401]))
  const over = await http(secondOrigin, lookup, from(`${net}.1`))
  expect([over.status, over.json().error]).toEqual([429, 'Too many requests'])
  const german = { ...from(`${net}.1`).headers, 'accept-language': 'de' }
  const inGerman = await http(secondOrigin, lookup, { headers: german })
  expect([inGerman.status, inGerman.json().error]).toEqual([429, 'Zu viele Anfragen'])
  expect(over.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(300)
  expect(await statusOf(harness.http(lookup, from(`${net}.2`)))).toBe(200)
})

test('D033 addresses that a client adds to X-Forwarded-For are ignored, and IPv6 addresses count by /64', async () => {
  const forged = await harness.http(lookup, from(`10.9.8.7, ${net}.1`))
  expect(forged.status).toBe(429)
  const remaining = async (ip: string) => (await harness.http(lookup, from(ip))).headers.get('x-ratelimit-remaining')
  expect(await remaining(`${net6}:2::1`)).toBe('299')
  expect(await remaining(`${net6}:2:ffff::9`)).toBe('298')
  expect(await remaining(`${net6}:3::1`)).toBe('299')
})

test('A088 without TRUSTED_PROXIES headers with client addresses are ignored', async () => {
  const port = await freePort()
  const alone = await startHost([{ app: gateway }], { ...harness.env, TRUSTED_PROXIES: '', PORT: String(port) })
  try {
    const forwarded = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip']
    const left = async (headers: Record<string, string>) =>
      Number((await http(`http://localhost:${port}`, lookup, { headers })).headers.get('x-ratelimit-remaining'))
    const first = await left({})
    for (const [n, name] of forwarded.entries())
      expect([name, await left({ [name]: `${net}.9${n}` })]).toEqual([name, first - n - 1])
  } finally {
    await alone.stop()
  }
  const defaults = await readFile(join(repository(), 'helm/murmuration/values.yaml'), 'utf8')
  expect(defaults).toMatch(/^ {2}TRUSTED_PROXIES: null$/m)
})

test('requests with a token have their own limits, and headers show the one with the fewest requests left', async () => {
  const me = { token: alice, headers: { 'x-forwarded-for': `${net}.1` } }
  const first = await harness.http('/api/v1/accounts/verify_credentials', me)
  expect([first.status, first.headers.get('x-ratelimit-limit')]).toEqual([200, '300'])
  const media = await harness.http('/api/v1/media/', { ...me, method: 'POST', body: new FormData() })
  expect(media.headers.get('x-ratelimit-limit')).toBe('30')
})

test('paging has its own limit, with any other parameters', async () => {
  const visitor = from(`${net}.30`)
  const path = '/api/v1/timelines/public?account_id=1'
  expect((await harness.http(path, visitor)).headers.get('x-ratelimit-remaining')).toBe('299')
  await times(10, () => harness.http('/api/v1/timelines/public?max_id=5', visitor))
  const paged = await harness.http('/api/v1/timelines/public?account_id=1&min_id=5', visitor)
  // 12 requests, 11 of them with a cursor: the bucket of all requests has fewer left than that of paging.
  expect(paged.headers.get('x-ratelimit-remaining')).toBe('288')
})

test('a write counts against the limit of its family; failures and idempotent replays are refunded', async () => {
  const post = (json: unknown, headers: Record<string, string> = {}) =>
    harness.http('/api/v1/statuses', { token: bob, json, headers: { 'x-forwarded-for': `${net}.40`, ...headers } })
  const used = async () => {
    const answer = await post({ status: 'a' })
    return { limit: answer.headers.get('x-ratelimit-limit'), left: Number(answer.headers.get('x-ratelimit-remaining')) }
  }
  const first = await used()
  await post({ status: '' })
  await post({ status: 'b' }, { 'idempotency-key': 'k' })
  await post({ status: 'b' }, { 'idempotency-key': 'k' })
  const last = await used()
  expect([first.limit, last.limit]).toEqual(['300', '300'])
  // The token's bucket counted all five requests. The family's bucket counted only three statuses.
  expect(first.left - last.left).toBe(4)
})

test('S-207 statuses, edits and boosts share 300 in three hours, follows of accounts and hashtags 400 in a day', async () => {
  const token = await harness.createAccount('carla')
  const { id } = (await harness.http('/api/v1/accounts/verify_credentials', { token })).json<{ id: string }>()
  const target = (await harness.http(lookup)).json<{ id: string }>().id
  const redis = createClient({ url: harness.env.REDIS_URL ?? '' })
  await redis.connect()
  const request = (method: string, path: string, body?: object) =>
    harness.http(path, {
      ...{ method, token },
      headers: { 'x-forwarded-for': `${net}.41`, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    })
  const keyOf = async (family: string) => {
    const keys = await redis.keys(`gateway:limit:${family}:${id}:*`)
    expect(keys).toHaveLength(1)
    return keys[0] ?? ''
  }
  const used = async (family: string) => Number(await redis.get(await keyOf(family)))
  /** Leaves one request of the family in the current window. */
  const leaveOne = async (family: string, limit: number) =>
    redis.set(await keyOf(family), String(limit - 1), { expiration: 'KEEPTTL' })
  try {
    const status = (await request('POST', '/api/v1/statuses', { status: 'first' })).json<{ id: string }>()
    expect(await used('statuses')).toBe(1)
    expect((await request('PUT', `/api/v1/statuses/${status.id}`, { status: 'second' })).status).toBe(200)
    expect(await used('statuses')).toBe(2)
    expect((await request('POST', `/api/v1/statuses/${status.id}/reblog`)).status).toBe(200)
    expect(await used('statuses')).toBe(3)
    expect((await request('POST', `/api/v1/accounts/${target}/follow`)).status).toBe(200)
    expect((await request('POST', '/api/v1/tags/birds/follow')).status).toBe(200)
    expect(await used('follows')).toBe(2)

    await leaveOne('statuses', 300)
    expect((await request('POST', '/api/v1/statuses', { status: 'last' })).status).toBe(200)
    const over = await request('PUT', `/api/v1/statuses/${status.id}`, { status: 'third' })
    expect([over.status, over.headers.get('x-ratelimit-limit')]).toEqual([429, '300'])
    expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(10_800)
    expect((await request('POST', '/api/v1/statuses', { status: 'too many' })).status).toBe(429)
    await leaveOne('follows', 400)
    expect((await request('POST', '/api/v1/tags/finches/follow')).status).toBe(200)
    const many = await request('POST', '/api/v1/tags/wrens/follow')
    expect([many.status, many.headers.get('x-ratelimit-limit')]).toEqual([429, '400'])
    expect(Number(many.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
  } finally {
    redis.destroy()
  }
})

test('A086 D011 the 26th wrong password from one IP address gets 429 at the token endpoint', async () => {
  await beginInWindow(60)
  const app = await harness.http('/api/v1/apps', {
    json: { client_name: 'Test', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' },
    headers: { 'x-forwarded-for': `${net}.50` },
  })
  const { client_id, client_secret } = app.json<{ client_id: string; client_secret: string }>()
  const tryWith = (username: string, password: string, ip: string) =>
    harness.http('/oauth/token', {
      json: { grant_type: 'password', client_id, client_secret, username, password },
      headers: { 'x-forwarded-for': ip },
    })
  for (let i = 0; i < 25; i++)
    expect((await tryWith(`nobody${i}@mail.example`, 'wrong password', `${net}.51`)).status).not.toBe(429)
  expect((await tryWith('nobody@mail.example', 'wrong password', `${net}.51`)).status).toBe(429)
  // The right password works from another IP address: failed attempts do not lock an account.
  expect([200, 400]).toContain((await tryWith('alice@mail.example', PASSWORD, `${net}.52`)).status)
})

test('A086 the 26th wrong password for one account in an hour gets 429, from any IP address', async () => {
  await beginInWindow(60)
  const codes: number[] = []
  const victim = `carol${randomInt(1_000_000)}@mail.example`
  for (let i = 0; i < 26; i++) {
    const page = await harness.http('/auth/sign_in', from(`${net}.${100 + i}`))
    const proof = /name="authenticity_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const answer = await harness.http('/auth/sign_in', {
      method: 'POST',
      body: new URLSearchParams({
        authenticity_token: proof,
        'user[email]': i % 2 ? victim.toUpperCase() : victim,
        'user[password]': 'wrong password',
      }),
      headers: { 'x-forwarded-for': `${net}.${100 + i}`, cookie },
    })
    codes.push(answer.status)
    if (i === 25) {
      expect(answer.headers.get('retry-after')).toBeTruthy()
      expect(answer.headers.get('content-type')).toContain('text/html')
    }
  }
  expect(codes.slice(0, 25)).toEqual(Array.from({ length: 25 }, () => 422))
  expect(codes[25]).toBe(429)
})
