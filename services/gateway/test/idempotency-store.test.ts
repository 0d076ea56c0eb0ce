/** Outcomes that a repeated request gets from the first one, in another process. */
import { randomBytes, randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createSingleFlight, keyspace } from '@murmuration/cache'
import { createRule, listRules } from '@murmuration/contracts/admin'
import { disableRelay } from '@murmuration/contracts/federation'
import { type AnyOperation, type Failure, fail } from '@murmuration/contracts/kit'
import { createSendRequest, secretCipherFor } from '@murmuration/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { createCallOwner } from '../src/edge/call/call-owner.js'
import { createIdempotencyStore, type IdempotencyStore } from '../src/edge/call/idempotency.js'
import type { Exchange } from '../src/edge/exchange.js'
import { type StaffHarness, startStaffHarness } from './staff-harness.js'

let server: StaffHarness
let ctx: Context
let first: IdempotencyStore
let second: IdempotencyStore
beforeAll(async () => {
  server = await startStaffHarness({ REDIS_TIMEOUT_MS: '5000' })
  ctx = server.host.running.find((one) => one.service === 'gateway')?.ctx as Context
  first = createIdempotencyStore(ctx.redis, ctx.common)
  second = createIdempotencyStore(ctx.redis, ctx.common)
})
afterAll(() => server.stop())

const HOUR_MS = 3_600_000
const ENVELOPE = {
  caller: null,
  requestId: 'r',
  commandId: null,
  idempotencyKey: null,
  locale: '',
  traceparent: '',
}
const sayTo = (one: AnyOperation) => createSendRequest(ctx.nc)(one, '{}', { ...ENVELOPE, remainingMs: 5_000 })
const keptOutcomes = async (): Promise<string[]> =>
  (await ctx.redis.run((client) => client.keys('gateway:once:result:*'))) as string[]

test.each(['timeout', 'unavailable'] as const)('a failure with %s after a write is kept for a minute', async (code) => {
  const name = randomUUID()
  const earlier = new Set(await keptOutcomes())
  const failing = async () => {
    await sayTo(createRule)
    throw fail(code, 'Please try again', { retryAfter: 2 })
  }
  await expect(first.run(name, failing, () => HOUR_MS)).rejects.toMatchObject({ code })
  const again = second.run(
    name,
    () => Promise.resolve('done'),
    () => HOUR_MS,
  )
  await expect(again).rejects.toMatchObject({ code, message: 'Please try again', extras: { retryAfter: 2 } })
  const added = (await keptOutcomes()).filter((key) => !earlier.has(key))
  expect(added).toHaveLength(1)
  const keptMs = await ctx.redis.run((client) => client.pTTL(added[0] ?? ''))
  expect(keptMs).toBeGreaterThan(40_000)
  expect(keptMs).toBeLessThanOrEqual(60_000)
})

test('a request of which no service received a write runs again', async () => {
  // The federation service does not run in this test.
  const absent = disableRelay
  const outcomeOf = async (work: () => Promise<unknown>) => {
    const name = randomUUID()
    await expect(first.run(name, work, () => HOUR_MS)).rejects.toMatchObject({ code: 'unavailable' })
    await new Promise((resolve) => setTimeout(resolve, 400))
    const again = () => Promise.resolve('done')
    return second.run(name, again, () => HOUR_MS).catch((error: Failure) => error.code)
  }
  expect(await outcomeOf(() => sayTo(absent))).toBe('done')
  const onlyRead = async () => {
    await sayTo(listRules)
    throw fail('unavailable', 'The file cannot currently be read.', { retryAfter: 5 })
  }
  expect(await outcomeOf(onlyRead)).toBe('done')
  const afterWrite = async () => {
    await sayTo(createRule)
    await sayTo(absent)
  }
  expect(await outcomeOf(afterWrite)).toBe('unavailable')
})

test('a refused request runs again', async () => {
  const name = randomUUID()
  const refused = () => Promise.reject(fail('conflict', 'Please try again'))
  await expect(first.run(name, refused, () => HOUR_MS)).rejects.toMatchObject({ code: 'conflict' })
  const again = () =>
    second
      .run(
        name,
        () => Promise.resolve('done'),
        () => HOUR_MS,
      )
      .catch(() => 'refused')
  await expect.poll(again).toBe('done')
})

test('a request whose result is too large to be kept is not carried out again', async () => {
  const name = randomUUID()
  const large = randomBytes(100_000).toString('base64')
  expect(
    await first.run(
      name,
      () => Promise.resolve(large),
      () => HOUR_MS,
    ),
  ).toBe(large)
  let ran = false
  const again = second.run(
    name,
    async () => {
      ran = true
    },
    () => HOUR_MS,
  )
  await expect(again).rejects.toMatchObject({ code: 'conflict', message: 'This request was carried out already' })
  expect(ran).toBe(false)
})

test('processes of the previous release and of this one read the mark of a result that is not kept', async () => {
  const flight = createSingleFlight(ctx.redis, keyspace('gateway')('once'), { longestMs: 5_000 })
  const cipher = secretCipherFor(ctx.common, 'gateway:once')
  const name = randomUUID()
  const large = randomBytes(100_000).toString('base64')
  const keepMs = () => HOUR_MS
  await first.run(name, () => Promise.resolve(large), keepMs)
  const text = await flight.run(name, () => Promise.resolve('not kept'), keepMs)
  const stored = gunzipSync(Buffer.from(cipher.decryptOrNull(text, name) ?? '', 'base64')).toString('utf8')
  expect(JSON.parse(stored)).toEqual({ isTooLarge: true })
  const outcomes = [{ isTooLarge: true }, { isLost: true }].map(async (mark) => {
    const other = randomUUID()
    const encrypted = cipher.encrypt(gzipSync(JSON.stringify(mark)).toString('base64'), other)
    await flight.run(other, () => Promise.resolve(encrypted), keepMs)
    return second.run(other, () => Promise.resolve('done'), keepMs).catch((error: Failure) => error.code)
  })
  expect(await Promise.all(outcomes)).toEqual(['conflict', 'conflict'])
})

test('the uploaded file of a repeated request is deleted from staging', async () => {
  const deleted: string[] = []
  const callOwner = (idempotency: IdempotencyStore) =>
    createCallOwner({
      ctx: { clock: ctx.clock, staging: { ...ctx.staging, delete: async (keys) => void deleted.push(...keys) } },
      limits: { take: async () => ({ headers: null, refund: null }) } as never,
      sendRequest: async () => ({
        meta: { status: 200, headers: {}, next: null, prev: null, code: null },
        bytes: new TextEncoder().encode('{}'),
      }),
      idempotency,
    })
  const exchange = {
    req: { headers: { 'idempotency-key': randomUUID() } },
    ...{ method: 'POST', path: '/api/v1/admin/x', route: { path: '/api/v1/admin/x' }, startedAt: performance.now() },
    ...{
      operation: { class: 'write', name: 'media.x', family: null, files: [] },
      requestId: 'r',
      ip: '10.0.0.1',
      limits: null,
    },
    caller: { viewer: { id: '1' }, app: null, ip: null, userAgent: null },
  } as unknown as Exchange
  const input = (key: string) => ({ image: { key, size: 1, type: 'image/png', name: 'a.png' } })
  await callOwner(first)(exchange, input('staging/one'), 'en')
  expect(deleted).toEqual([])
  await callOwner(second)(exchange, input('staging/two'), 'en')
  expect(deleted).toEqual(['staging/two'])
})

test('a repeated request is refused if SECRET_KEY_BASE was changed after the first one', async () => {
  const other = createIdempotencyStore(ctx.redis, { secretKeyBase: 'another base of more than thirty-two characters' })
  const name = randomUUID()
  const run = (store: IdempotencyStore) =>
    store.run(
      name,
      () => Promise.resolve('done'),
      () => HOUR_MS,
    )
  expect(await run(first)).toBe('done')
  await expect(run(other)).rejects.toMatchObject({ code: 'conflict' })
  expect(await run(second)).toBe('done')
})
