/** Rate limits with a Redis that responds, times out and loses its data. */
import type { Redis } from '@murmuration/cache'
import type { RateLimitBucket } from '@murmuration/contracts/rate-limits'
import { expect, test } from 'vitest'
import { createLimits } from './limits.js'

const BUCKET: RateLimitBucket = { name: 'test', limit: 60, windowSeconds: 300, key: 'ip', matches: ['* /*'] }
const REQUESTER = { ip: '192.0.2.1', viewerId: null, tokenId: null }

const fakeRedis = () => {
  const stored = new Map<string, number>()
  const state = { isAway: false, stored }
  const client = {
    eval: async (_script: string, { keys, arguments: [by] }: { keys: string[]; arguments: string[] }) =>
      keys.map((key) => {
        stored.set(key, (stored.get(key) ?? 0) + Number(by))
        return stored.get(key)
      }),
  }
  const withFallback = async (work: (client: unknown) => Promise<unknown>, fallback: unknown) =>
    state.isAway ? fallback : work(client)
  return { state, redis: { withFallback } as unknown as Redis }
}

test('a limit of 60 allows 60 requests although Redis times out and loses its data', async () => {
  const { state, redis } = fakeRedis()
  const limits = createLimits(redis, () => 600_000)
  let allowed = 0
  for (let n = 0; n < 200; n++) {
    state.isAway = n % 3 === 0
    if (n === 40) state.stored.clear()
    await limits.count([BUCKET], REQUESTER).then(
      () => allowed++,
      () => undefined,
    )
  }
  expect(allowed).toBe(60)
})

test('a refunded request counts neither in Redis nor in the process', async () => {
  const { state, redis } = fakeRedis()
  const limits = createLimits(redis, () => 600_000)
  const { refund } = await limits.take([BUCKET], REQUESTER)
  refund?.()
  state.isAway = true
  expect((await limits.count([BUCKET], REQUESTER))?.['X-RateLimit-Remaining']).toBe('59')
  state.isAway = false
  expect((await limits.count([BUCKET], REQUESTER))?.['X-RateLimit-Remaining']).toBe('58')
})

test('all spellings of an e-mail address that reach one account share a limit', async () => {
  const bucket: RateLimitBucket = { ...BUCKET, key: 'email', limit: 4 }
  const limits = createLimits(fakeRedis().redis, () => 600_000)
  const left = async (email: string) =>
    (await limits.count([bucket], { ...REQUESTER, email }))?.['X-RateLimit-Remaining']
  const spellings = [' Ada@Mail.example', 'ada@mail.exam\u00adple', 'ada@\uff4d\uff41\uff49\uff4c.example']
  for (const [at, email] of spellings.entries()) expect([email, await left(email)]).toEqual([email, String(3 - at)])
  expect(await left('ada@xn--mnchen-3ya.example')).toBe('3')
  expect(await left('ada@m\u00fcnchen.example')).toBe('2')
})
